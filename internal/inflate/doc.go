// Package inflate decodes zlib streams from memory to memory.
//
// Git stores every object as a zlib stream whose output size is known
// beforehand, so nothing of a general decompressor is needed: no reader, no
// window to copy through, no state between calls but the memory of the code
// tables. The output is checked against its Adler-32.
//
// Terms: a symbol is what a Huffman code stands for: a literal byte, a length
// or a distance. A table is indexed by the next bits of the stream, the first
// bit lowest; codes longer than the table's width continue in a sub-table.
//
// Formats: RFC 1950 (zlib), RFC 1951 (deflate). Streams are accepted and
// refused as by compress/zlib, except that a preset dictionary is always
// refused (git knows none).
package inflate
