package reader

// meetAll puts every stored object into the table, unread.
func (f *fsckRun) meetAll() error {
	for id, err := range f.objects.StoredIDs(f.ctx) {
		if err != nil {
			return err
		}
		f.table.any(id).flags |= fsckStored
	}
	return nil
}

// tell prints what is missing and what nothing points to.
func (f *fsckRun) tell() error {
	if f.opts.ConnectivityOnly && !f.opts.NoDangling {
		if err := f.markReferents(); err != nil {
			return err
		}
	}
	for _, o := range f.table.slots {
		if o == nil {
			continue
		}
		f.tellOf(o)
		if err := f.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (f *fsckRun) tellOf(o *fsckObject) {
	stored, reachable := o.flags&fsckStored != 0, o.flags&fsckReachable != 0
	switch {
	case reachable && !stored:
		if !f.promised(o.id) && !f.objects.Packed(o.id) {
			f.lacks("missing %s %s", f.typeOf(o), o.id)
		}
	case reachable || !stored:
	case f.opts.Unreachable:
		f.print("unreachable %s %s", f.typeOf(o), o.id)
	case o.flags&fsckUsed == 0 && !f.opts.NoDangling:
		f.print("dangling %s %s", f.typeOf(o), o.id)
	}
}

// markReferents marks what unreachable objects point to, which a check of
// contents has seen.
func (f *fsckRun) markReferents() error {
	for id, err := range f.objects.StoredIDs(f.ctx) {
		if err != nil {
			return err
		}
		o := f.table.find(id)
		if o == nil || o.flags&fsckStored == 0 || o.flags&fsckReachable != 0 {
			continue
		}
		if err := f.followLinks(o, markUsed); err != nil {
			return err
		}
	}
	return nil
}
