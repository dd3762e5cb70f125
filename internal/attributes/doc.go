// Package attributes finds the attributes of paths (gitattributes(5)).
//
// A rule is a line of an attributes file: a pattern and what it assigns. A macro is an attribute that, when set, assigns others;
// only files that govern the whole work tree may define one. Of all rules that match a path, the strongest that names an attribute
// decides: info/attributes, then .gitattributes from the path's directory up to the top, then the user's file, then the system's;
// within a file the last.
package attributes
