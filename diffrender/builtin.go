package diffrender

import (
	"regexp"
	"strings"
	"sync"
)

// language is one of the drivers that git knows by itself (gitattributes(5)
// lists them), in the syntax of Go's expressions.
type language struct {
	not   []string // lines that begin no function whatever follows here
	is    []string // lines that do; a first group is the part to show
	fold  bool     // letters of either case are the same in is and not
	words string   // what a word is, apart from single characters
}

// function compiles the rules for function lines; nil if there are none.
func (l language) function() *Function {
	if len(l.is) == 0 {
		return nil
	}
	f := &Function{}
	for _, pattern := range l.not {
		f.rules = append(f.rules, functionRule{l.compile(pattern), true})
	}
	for _, pattern := range l.is {
		f.rules = append(f.rules, functionRule{l.compile(pattern), false})
	}
	return f
}

// word compiles what a word is; nil if that is not said.
func (l language) word() *regexp.Regexp {
	if l.words == "" {
		return nil
	}
	re := regexp.MustCompile("(?m)(?:" + l.words + `|[^\s\v])`)
	re.Longest()
	return re
}

func (l language) compile(pattern string) *regexp.Regexp {
	flags := "(?s)"
	if l.fold {
		flags = "(?si)"
	}
	re := regexp.MustCompile(flags + pattern)
	re.Longest()
	return re
}

// oneOf is an expression for any of some words separated by blanks.
func oneOf(words string) string { return "(?:" + strings.Join(strings.Fields(words), "|") + ")" }

// many is any number of modifiers of a declaration, each with white
// space behind it.
func many(modifiers string) string { return "(?:" + oneOf(modifiers) + gap + ")*" }

const (
	margin = `^[ \t]*` // any indentation
	gap    = `[ \t]+`
	ident  = `[A-Za-z_][A-Za-z_0-9]*`
)

// Words of the languages that descend from C.
const (
	cFloat     = `[-+0-9.e]+[fFlL]?`
	cHex       = `0[xXbB]?[0-9a-fA-F]+[lL]?`
	cOperators = `[-+*/<>%&^|=!]=|--|\+\+|<<=?|>>=?|&&|\|\||::|->`
	cWords     = ident + "|" + cFloat + "|" + cHex + "|" + cOperators
)

const csharpModifiers = "static public internal private protected new virtual sealed override unsafe"

// builtin returns the drivers by name. They are made when they are first asked
// for: most programs never do.
var builtin = sync.OnceValue(func() map[string]language {
	return map[string]language{
		"ada": {
			fold: true,
			not:  []string{`^(?:.*[ \t])?(?:is[ \t]+new|renames|is[ \t]+separate)(?:[ \t].*)?$`, margin + `with[ \t]`},
			is:   []string{margin + "(" + oneOf("procedure function package protected task") + gap + `.*)$`},
			words: `[a-zA-Z][a-zA-Z0-9_]*|[-+]?[0-9][0-9#_.aAbBcCdDeEfF]*(?:[eE][+-]?[0-9_]+)?` +
				`|=>|\.\.|\*\*|:=|/=|>=|<=|<<|>>|<>`,
		},
		"bash": {
			is: []string{margin + `(` + ident + `[ \t]*\([ \t]*\)|function` + gap + ident + `(?:[ \t]*\([ \t]*\)|[ \t]+)` +
				`[ \t]*(?:\{|\(\(?|\[\[))`},
			words: `[^ \t]+`,
		},
		"bibtex": {
			is:    []string{`(@[a-zA-Z]+[ \t]*\{?[ \t]*[^ \t"@',\\#}{~%]*).*$`},
			words: `[={}"]|[^={}" \t]+`,
		},
		"cpp": {
			not: []string{margin + ident + `:\s*(?:$|/[/*])`},
			is:  []string{`^((?:::\s*)?[A-Za-z_].*)$`},
			words: ident + `|[0-9][0-9.]*(?:[Ee][-+]?[0-9]+)?[fFlLuU]*|0[xXbB][0-9a-fA-F]+[lLuU]*` +
				`|\.[0-9][0-9]*(?:[Ee][-+]?[0-9]+)?[fFlL]?|` + cOperators + `|->\*|\.\*|<=>`,
		},
		"csharp": {
			not: []string{margin + oneOf("do while for if else instanceof new return switch case throw catch using")},
			is: []string{
				margin + "(" + many(csharpModifiers+" async") + `[\]\[<>@.~_[:alnum:]]+[ \t]+[<>@._[:alnum:]]+[ \t]*\(.*\))[ \t]*$`,
				margin + "(" + many(csharpModifiers) + `[\]\[<>@.~_[:alnum:]]+[ \t]+[@._[:alnum:]]+)[ \t]*$`,
				margin + "(" + many("static public internal private protected new unsafe sealed abstract partial") +
					oneOf("class enum interface struct record") + gap + `.*)$`,
				margin + "(namespace" + gap + `.*)$`,
			},
			words: cWords,
		},
		"css": {
			fold:  true,
			not:   []string{`[:;]\s*$`},
			is:    []string{`^[:\[@.#]?[_a-z0-9].*$`},
			words: `-?[_a-zA-Z][-_a-zA-Z0-9]*|-?[0-9]+|#[0-9a-fA-F]+`,
		},
		"dts": {
			not:   []string{`[;=]`},
			is:    []string{margin + `((?:/[ \t]*\{|&?[a-zA-Z_]).*)`},
			words: `[a-zA-Z0-9,._+?#-]+|[-+*/%&^|!~]|>>|<<|&&|\|\|`,
		},
		"elixir": {
			is: []string{margin + `((?:def(?:macro|module|impl|protocol|p)?|test)[ \t].*)$`},
			words: `[@:]?[a-zA-Z0-9@_?!]+|[-+]?0[xob][0-9a-fA-F]+|[-+]?[0-9][0-9_.]*(?:[eE][-+]?[0-9_]+)?` +
				`|:?(?:\+\+|--|\.\.|~~~|<>|\^\^\^|<?\|>|<<<?|>?>>|<<?~|~>?>|<~>|<=|>=|===?|!==?|=~|&&&?|\|\|\|?|=>|<-|\\\\|->)` +
				`|:?%[A-Za-z0-9_.]\{\}?`,
		},
		"fortran": {
			fold: true,
			not:  []string{`^(?:[c*]|[ \t]*!)`, margin + `module` + gap + `procedure[ \t]`},
			is: []string{margin + `((?:end` + gap + `)?(?:program|module|block` + gap + `data|(?:[^!'" \t]+[ \t]+)*` +
				oneOf("subroutine function") + `)` + gap + `[a-z].*)$`},
			words: `[a-zA-Z][a-zA-Z0-9_]*|\.(?:[Ee][Qq]|[Nn][Ee]|[Gg][TtEe]|[Ll][TtEe]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Aa][Nn][Dd]|[Oo][Rr]|[Nn]?[Ee][Qq][Vv]|[Nn][Oo][Tt])\.` +
				`|[-+]?[0-9.]+(?:[AaIiDdEeFfLlTtXx][Ss]?[-+]?[0-9.]*)?(?:_[a-zA-Z0-9][a-zA-Z0-9_]*)?|//|\*\*|::|[/<>=]=`,
		},
		"fountain": {
			fold:  true,
			is:    []string{`^((?:\.[^.]|(?:int|ext|est|int\.?/ext|i/e)[. ]).*)$`},
			words: `[^ \t-]+`,
		},
		"golang": {
			is: []string{
				margin + `(func[ \t]*.*(?:\{[ \t]*)?)`,
				margin + `(type[ \t].*(?:struct|interface)[ \t]*(?:\{[ \t]*)?)`,
			},
			words: ident + "|[-+0-9.eE]+i?|0[xX]?[0-9a-fA-F]+i?|[-+*/<>%&^|=!:]=|--|\\+\\+|<<=?|>>=?|&\\^=?|&&|\\|\\||<-|\\.\\.\\.",
		},
		"html": {
			is:    []string{margin + `(<[Hh][1-6](?:[ \t].*)?>.*)$`},
			words: `[^<>= \t]+`,
		},
		"java": {
			not: []string{margin + oneOf("catch do for if instanceof new return switch throw while")},
			is: []string{
				margin + `((?:[a-z]+[ \t]+)*` + oneOf("class enum interface") + gap + `[A-Za-z][A-Za-z0-9_$]*[ \t]+.*)$`,
				margin + `((?:[A-Za-z_<>&][\]\[?&<>.,A-Za-z_0-9]*[ \t]+)+` + ident + `[ \t]*\([^;]*)$`,
			},
			words: ident + "|" + cFloat + "|" + cHex + `|[-+*/<>%&^|=!]=|--|\+\+|<<=?|>>>?=?|&&|\|\|`,
		},
		"kotlin": {
			is: []string{margin + `((?:[a-z]+[ \t]+)*` + oneOf("fun class interface") + gap + `.*)$`},
			words: ident + `|0[xXbB][0-9a-fA-F_]+[lLuU]*|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[Ee][-+]?[0-9]+)?[fFlLuU]*` +
				`|\.[0-9][0-9_]*(?:[Ee][-+]?[0-9]+)?[fFlLuU]?|[-+*/<>%&^|=!]==?|--|\+\+|<<=|>>=|&&|\|\||->|\.\*|!!|[?:.][.:]`,
		},
		"markdown": {
			is:    []string{`^ {0,3}#{1,6}[ \t].*`},
			words: `[^<>= \t]+`,
		},
		"matlab": {
			is:    []string{`^\s*(` + oneOf("classdef function") + `\s.*)$|^(?:%%%?|##)\s.*$`},
			words: ident + `|[-+0-9.e]+|[=~<>]=|\.[*/\\^']|\|\||&&`,
		},
		"objc": {
			not: []string{margin + oneOf("do for if else return switch while")},
			is: []string{
				margin + `([-+][ \t]*\([ \t]*[A-Za-z_][A-Za-z_0-9* \t]*\)[ \t]*[A-Za-z_].*)$`,
				margin + `((?:` + ident + `[ \t]+)+` + ident + `[ \t]*\([^;]*)$`,
				`^(@` + oneOf("implementation interface protocol") + `[ \t].*)$`,
			},
			words: cWords,
		},
		"pascal": {
			is: []string{
				`^((?:(?:class[ \t]+)?` + oneOf("procedure function") + `|` +
					oneOf("constructor destructor interface implementation initialization finalization") + `)[ \t]*.*)$`,
				`^(.*=[ \t]*` + oneOf("class record") + `.*)$`,
			},
			words: ident + `|[-+0-9.e]+|0[xXbB]?[0-9a-fA-F]+|<>|<=|>=|:=|\.\.`,
		},
		"perl": {
			is: []string{
				`^package .*`,
				`^sub [[:alnum:]_':]+[ \t]*(\([^)]*\)[ \t]*)?(:[^;#]*)?(\{[ \t]*)?(#.*)?$`,
				`^(BEGIN|END|INIT|CHECK|UNITCHECK|AUTOLOAD|DESTROY)[ \t]*(\{[ \t]*)?(#.*)?$`,
				`^=head[0-9] .*`,
			},
			words: `[[:alpha:]_'][[:alnum:]_']*|0[xb]?[0-9a-fA-F_]*|[0-9a-fA-F_]+(?:\.[0-9a-fA-F_]+)?(?:[eE][-+]?[0-9_]+)?` +
				`|=>|-[rwxoRWXOezsfdlpSugkbctTBMAC>]|~~|::|&&=|\|\|=|//=|\*\*=|&&|\|\||//|\+\+|--|\*\*|\.\.\.?|[-+*/%.^&<>=!|]=|=~|!~|<<|<>|<=>|>>`,
		},
		"php": {
			is: []string{
				margin + `((?:` + oneOf("public protected private static abstract final") + gap + `)*function.*)$`,
				margin + `((?:(?:` + oneOf("final abstract") + gap + `)?class|enum|interface|trait).*)$`,
			},
			words: ident + `|[-+0-9.e]+|0[xX]?[0-9a-fA-F]+|[-+*/<>%&^|=!.]=|--|\+\+|<<=?|>>=?|===|&&|\|\||::|->`,
		},
		"python": {
			is:    []string{margin + `((?:class|(?:async[ \t]+)?def)[ \t].*)$`},
			words: ident + `|[-+0-9.e]+[jJlL]?|0[xX]?[0-9a-fA-F]+[lL]?|[-+*/<>%&^|=!]=|//=?|<<=?|>>=?|\*\*=?`,
		},
		"ruby": {
			is: []string{margin + `(` + oneOf("class module def") + `[ \t].*)$`},
			words: `(?:@|@@|\$)?` + ident + `|[-+0-9.e]+|0[xXbB]?[0-9a-fA-F]+|\?(?:\\C-)?(?:\\M-)?.` +
				`|//=?|[-+*/<>%&^|=!]=|<<=?|>>=?|===|\.{1,3}|::|[!=]~`,
		},
		"rust": {
			is: []string{margin + `((?:pub(?:\([^\\)]+\))?[\t ]+)?(?:(?:async|const|unsafe|extern[\t ]+"[^"]+")[\t ]+)?` +
				oneOf("struct enum union mod trait fn impl macro_rules!") + `[< \t]+[^;]*)$`},
			words: ident + `|[0-9][0-9_a-fA-Fiosuxz]*(?:\.(?:[0-9]*[eE][+-]?)?[0-9_fF]*)?` +
				`|[-+*/<>%&^|=!:]=|<<=?|>>=?|&&|\|\||->|=>|\.{2}=|\.{3}|::`,
		},
		"scheme": {
			is: []string{margin + `(\((?:(?:define|def(?:struct|syntax|class|method|rules|record|proto|alias)?)[-*/ \t]` +
				`|(?:library|module|struct|class)[*+ \t]).*)$`},
			words: `\|(?:[^|\\]|\\.)*\||[^ \t\[\](){}]+`,
		},
		"tex": {
			is:    []string{`^(\\(?:(?:sub)*section|chapter|part)\*?\{.*)$`},
			words: `\\[a-zA-Z@]+|\\.|(?:[a-zA-Z0-9]|[^\x01-\x7f])+`,
		},
	}
})
