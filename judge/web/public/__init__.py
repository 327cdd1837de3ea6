"""Pages for everybody: pairings, standings, bracket, big screen, players' phones."""
