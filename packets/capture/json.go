package capture

import (
	"sphereserver/coords"
	"sphereserver/packets"
)

// AppendJSON appends a reading as one JSON object with the facts of [Words], without a line end. Ids, classes and
// enumerated values are numbers; where they have a name, it stands beside them.
func AppendJSON(dst []byte, r *Reading) []byte {
	o := place(&r.Recorded)
	if r.Connection > 0 {
		o = append(o, member{"connection", r.Connection}, member{"client", r.Client}, member{"server", r.Server})
	}
	o = o.some("topic", r.Topic).some("time", r.Time).some("label", r.Label)
	o = append(o, member{"direction", r.Direction.String()}, member{"bytes", len(r.Bytes())}, member{"whole", r.Whole})
	o = append(o.some("bare", r.Bare), member{"dialect", r.Dialect.String()}, member{"decisive", r.Decisive},
		member{"obfuscated", r.Obfuscated})
	if r.Err != nil {
		o = append(o, member{"error", r.Err.Error()})
	}
	if r.Frame != nil {
		o = appendFrame(o, r)
	}
	o = append(o, member{"unknown_bits", r.UnknownBits}, member{"unknown_commands", r.UnknownCommands},
		member{"hex", hexText(r.Bytes())})
	if r.Obfuscated {
		o = append(o, member{"plain", hexText(r.Decoded)})
	}
	return appendJSON(dst, o)
}

// place says where a frame stands.
func place(r *Recorded) object {
	return append(object{}.some("file", r.File).some("line", r.Line), member{"frame", r.Number})
}

func appendFrame(o object, r *Reading) object {
	f := r.Frame
	o = append(o, member{"channel", uint32(f.Channel)}, member{"channel_name", f.Channel.String()})
	if f.Direction == packets.FromClient && !r.Bare {
		c := checksumOf(r)
		o = append(o, member{"sequence", uint32(f.Header.Sequence)}, member{"checksum", uint32(c.have)})
		if c.known {
			o = append(o, member{"key", uint32(c.key)}, member{"checksum_ok", c.ok()})
		}
	}
	o = o.some("reserved", uint32(f.Reserved))
	if f.Control != nil {
		name := packets.Name(f.Control)
		if u, ok := f.Control.(*packets.UnknownControl); ok {
			return append(o, member{"control", object{{"name", name}, {"unknown", true}, {"data", hexText(u.Data)}}})
		}
		fields := jsonFields(f.Control, packets.ClassNone, coords.Origin{})
		return append(o, member{"control", object{{"name", name}, {"fields", fields}}})
	}
	b := f.Body
	o = append(o, member{"clock", uint32(b.Clock)})
	if b.HasOrigin {
		o = append(o, member{"origin", object{{"x", b.Origin.X}, {"y", b.Origin.Y}, {"z", b.Origin.Z}}})
	}
	sections := []any{}
	for _, s := range b.Sections {
		regions := []any{}
		for _, region := range s.Regions {
			regions = append(regions, jsonRegion(region, f.Direction, s.Class, b.Origin))
		}
		sections = append(sections, object{{"object", uint32(s.Object)}, {"class", uint32(s.Class)},
			{"class_name", s.Class.String()}, {"regions", regions}})
	}
	o = append(o, member{"sections", sections}).some("end", b.End)
	if b.Tail.Len > 0 {
		o = append(o, member{"tail", object{{"bits", b.Tail.Len}, {"data", hexText(b.Tail.Data)}}})
	}
	return o
}

func jsonRegion(region packets.Region, dir packets.Direction, about packets.Class, origin coords.Origin) object {
	o := object{{"region", uint32(packets.RegionNumber(region))}, {"name", packets.Name(region)}}
	if u, ok := region.(*packets.UnknownRegion); ok {
		o = append(o, member{"unknown", true}, member{"bits", u.Data.Len}, member{"data", hexText(u.Data.Data)})
		return o.some("why", u.Why)
	}
	command, ok := packets.CommandOf(region)
	if !ok {
		return append(o, member{"fields", jsonFields(region, about, origin)})
	}
	if swap, number, ok := packets.SwapOf(region, dir); ok {
		return append(o, member{"command", object{{"name", packets.Name(swap)}, {"number", number},
			{"fields", jsonFields(swap, about, origin)}}})
	}
	if u, ok := command.(*packets.UnknownCommand); ok {
		return append(o, member{"command", object{{"name", packets.Name(command)}, {"unknown", true}, {"number", u.Number},
			{"data", hexText(u.Data)}}})
	}
	fields := jsonFields(command, about, origin)
	return append(o, member{"command", object{{"name", packets.Name(command)}, {"fields", fields}}})
}

func jsonFields(message any, about packets.Class, origin coords.Origin) object {
	o := object{}
	for _, f := range fieldsOf(message, about, origin) {
		o = append(o, member{keyed(f.name), f.value}).some(keyed(f.name)+"_name", f.extra)
	}
	return o
}
