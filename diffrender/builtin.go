package diffrender

// builtin holds the drivers that git knows by itself.
var builtin = map[string]driverSource{}
