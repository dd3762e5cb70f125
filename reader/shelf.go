package reader

// shelf holds the contents of trees that are being walked, one beside the other,
// in memory that is used again.
type shelf struct {
	room []byte
	made int // how many times room was made
}

// shelfMore is the room for trees beside the one that room is made for.
const shelfMore = 32 << 10

// put returns a copy of data. It lasts until the shelf is cleared from before.
func (s *shelf) put(data []byte) []byte {
	before := len(s.room)
	if before+len(data) > cap(s.room) {
		before, s.room = 0, make([]byte, 0, len(data)+shelfMore)
		s.made++
	}
	s.room = append(s.room, data...)
	return s.room[before:]
}

// clear gives up all that was put since the shelf was as from.
func (s *shelf) clear(from shelf) {
	if from.made == s.made {
		s.room = from.room
	} else {
		s.room = s.room[:0] // what was there before lies in other memory
	}
}
