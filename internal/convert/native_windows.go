package convert

// nativeCRLF is core.eol=native.
const nativeCRLF = true
