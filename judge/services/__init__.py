"""One function per thing a judge or scorekeeper does."""
