package reader

// complaint is a sentence before which git prints "error: " and not "fatal: ".
type complaint string

// Error returns the sentence.
func (c complaint) Error() string { return string(c) }

// GitLevel is the word that git prints before the sentence.
func (c complaint) GitLevel() string { return "error" }

// badHeadError is a HEAD whose commit is missing.
type badHeadError struct{ cause error }

// Error returns git's sentence.
func (e *badHeadError) Error() string { return "bad object HEAD" }

// Unwrap returns the cause.
func (e *badHeadError) Unwrap() error { return e.cause }
