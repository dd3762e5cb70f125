package reader

// complaint is a sentence before which git prints "error: " and not "fatal: ".
type complaint string

// Error returns the sentence.
func (c complaint) Error() string { return string(c) }

// GitLevel is the word that git prints before the sentence.
func (c complaint) GitLevel() string { return "error" }
