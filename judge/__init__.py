"""judge: rulings and tournaments for Dice Throne and Dice Forge."""

__version__ = "0.1.0"
