"""The people of an event: the list of players, registration, private links, erasing somebody."""
