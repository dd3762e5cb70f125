// Package odb reads a repository's objects: packs, loose objects and the
// stores that the repository borrows from.
//
// Terms: an id is an object's name; a store is one objects directory, the
// repository's own or an alternate; a pack is a .pack file with its .idx; an
// entry is an object in a pack, whole or a delta against a base; a chain is an
// entry with the bases below it.
//
// Formats: gitformat-pack(5), gitrepository-layout(5).
package odb
