"""Pages, forms and the HTTP interface. Routes parse, call one service and render."""
