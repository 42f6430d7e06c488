package main

// Compiled with every fragment of Go: reads calls from standard input, writes what happened to descriptor 3. The
// fragment shares this process and can write anything there: it can lie about its own run, and about no other.

import (
	ctbufio "bufio"
	cthex "encoding/hex"
	ctjson "encoding/json"
	cterrors "errors"
	ctmath "math"
	ctrand "math/rand"
	ctos "os"
	ctreflect "reflect"
	ctruntime "runtime"
	ctdebug "runtime/debug"
	ctsort "sort"
	ctstrconv "strconv"
	ctstrings "strings"
	ctatomic "sync/atomic"
	ctsyscall "syscall"
	cttime "time"
	ctutf16 "unicode/utf16"
	ctutf8 "unicode/utf8"
)

const ctMaxDepth = 20

type ctObject = map[string]interface{}

var ctError = ctreflect.TypeOf((*error)(nil)).Elem()

// ctRead fills a value of any type from JSON in which every type is named.
func ctRead(said interface{}, into ctreflect.Value) error {
	wrong := cterrors.New("wrong type")
	if into.Kind() == ctreflect.Func {
		object, _ := said.(ctObject)
		content, is := object["function"].([]interface{})
		if !is {
			return wrong
		}
		return ctStandIn(content[0].(string), content[1].([]interface{}), into)
	}
	if into.Kind() == ctreflect.Ptr {
		if said == nil {
			return nil
		}
		into.Set(ctreflect.New(into.Type().Elem()))
		return ctRead(said, into.Elem())
	}
	switch one := said.(type) {
	case bool:
		if into.Kind() != ctreflect.Bool {
			return wrong
		}
		into.SetBool(one)
		return nil
	case string:
		return ctReadText(one, into)
	case ctObject:
		for kind, content := range one {
			return ctReadKind(kind, content, into)
		}
	case nil:
		return nil
	}
	return wrong
}

func ctReadText(one string, into ctreflect.Value) error {
	switch into.Kind() {
	case ctreflect.String:
		into.SetString(one)
	case ctreflect.Slice:
		into.SetBytes([]byte(one))
	case ctreflect.Interface:
		into.Set(ctreflect.ValueOf(one))
	default:
		return cterrors.New("wrong type")
	}
	return nil
}

func ctReadKind(kind string, content interface{}, into ctreflect.Value) error {
	wrong := cterrors.New("wrong type")
	switch kind {
	case "int", "float":
		return ctReadNumber(kind, content.(string), into)
	case "char":
		letter, _ := ctutf8.DecodeRuneInString(content.(string))
		if into.CanInt() {
			into.SetInt(int64(letter))
		} else if into.CanUint() && letter < 256 {
			into.SetUint(uint64(letter))
		} else if into.Kind() == ctreflect.String {
			into.SetString(content.(string))
		} else {
			return wrong
		}
		return nil
	case "bytes":
		if into.Kind() != ctreflect.Slice || into.Type().Elem().Kind() != ctreflect.Uint8 {
			return wrong
		}
		bytes, failed := cthex.DecodeString(content.(string))
		into.SetBytes(bytes)
		return failed
	case "list", "tuple", "set":
		return ctReadList(content.([]interface{}), into)
	case "map":
		if into.Kind() != ctreflect.Map {
			return wrong
		}
		into.Set(ctreflect.MakeMap(into.Type()))
		for _, entry := range content.([]interface{}) {
			key, value := ctreflect.New(into.Type().Key()).Elem(), ctreflect.New(into.Type().Elem()).Elem()
			if ctRead(entry.([]interface{})[0], key) != nil || ctRead(entry.([]interface{})[1], value) != nil {
				return wrong
			}
			into.SetMapIndex(key, value)
		}
		return nil
	case "object":
		if into.Kind() != ctreflect.Struct {
			return wrong
		}
		for _, field := range content.([]interface{})[1].([]interface{}) {
			name := field.([]interface{})[0].(string)
			at := into.FieldByName(name)
			if !at.IsValid() {
				return wrong
			}
			// Fields of lower case, too: this is the same package.
			at = ctreflect.NewAt(at.Type(), at.Addr().UnsafePointer()).Elem()
			if ctRead(field.([]interface{})[1], at) != nil {
				return wrong
			}
		}
		return nil
	}
	return wrong
}

func ctReadNumber(kind string, text string, into ctreflect.Value) error {
	wrong := cterrors.New("wrong type")
	switch {
	case into.CanInt() && kind == "int":
		number, failed := ctstrconv.ParseInt(text, 10, into.Type().Bits())
		into.SetInt(number)
		return failed
	case into.CanUint() && kind == "int":
		number, failed := ctstrconv.ParseUint(text, 10, into.Type().Bits())
		into.SetUint(number)
		return failed
	case into.CanFloat():
		number, failed := ctstrconv.ParseFloat(text, 64)
		into.SetFloat(number)
		return failed
	case into.Kind() == ctreflect.Interface && into.NumMethod() == 0:
		if kind == "int" {
			number, failed := ctstrconv.Atoi(text)
			into.Set(ctreflect.ValueOf(number))
			return failed
		}
		number, failed := ctstrconv.ParseFloat(text, 64)
		into.Set(ctreflect.ValueOf(number))
		return failed
	}
	return wrong
}

func ctReadList(all []interface{}, into ctreflect.Value) error {
	if into.Kind() == ctreflect.Interface && into.NumMethod() == 0 {
		made := make([]interface{}, len(all))
		into.Set(ctreflect.ValueOf(made))
		into = into.Elem()
	} else if into.Kind() == ctreflect.Slice {
		into.Set(ctreflect.MakeSlice(into.Type(), len(all), len(all)))
	} else if into.Kind() != ctreflect.Array {
		return cterrors.New("wrong type")
	}
	for at, one := range all {
		if at >= into.Len() {
			break
		}
		if failed := ctRead(one, into.Index(at)); failed != nil {
			return failed
		}
	}
	return nil
}

// ctCalls are the calls of functions that return nothing, by the place of the function.
var ctCalls = map[uintptr]*[]interface{}{}

// ctStandIn stands for an unknown function: equal arguments give the same of a few results, in every language.
func ctStandIn(role string, results []interface{}, into ctreflect.Value) error {
	kind := into.Type()
	if role == "function" && kind.NumOut() > 0 {
		for _, one := range results {
			if failed := ctRead(one, ctreflect.New(kind.Out(0)).Elem()); failed != nil {
				return failed
			}
		}
	}
	calls := &[]interface{}{}
	into.Set(ctreflect.MakeFunc(kind, func(given []ctreflect.Value) []ctreflect.Value {
		made := []ctreflect.Value{}
		for at := 0; at < kind.NumOut(); at++ {
			made = append(made, ctreflect.New(kind.Out(at)).Elem())
		}
		switch {
		case role == "procedure" && len(*calls) < 1000:
			*calls = append(*calls, ctObject{"tuple": ctShowAll(given)})
		case role == "procedure":
			panic("too many calls")
		case role == "equality" || role == "order" || role == "comparison":
			order := ctCompare(given[0], given[1])
			if len(results) > 0 && results[0] == false {
				order = -order
			}
			if made[0].Kind() == ctreflect.Bool {
				made[0].SetBool(role == "order" && order < 0 || role == "equality" && order == 0)
			} else if role == "comparison" {
				made[0].SetInt(int64(order))
			} else if role == "order" && order < 0 || role == "equality" && order == 0 {
				made[0].SetInt(1)
			}
		case len(results) > 0:
			words := []string{}
			for _, one := range given {
				words = append(words, ctWritten(ctShow(one, 1)))
			}
			result := results[ctChecksum("["+ctstrings.Join(words, ", ")+"]")%uint32(len(results))]
			ctRead(result, made[0])
			if result == nil && len(made) > 1 {
				made[1].Set(ctreflect.ValueOf(cterrors.New("refused")))
			}
		}
		return made
	}))
	if role == "procedure" {
		ctCalls[*(*uintptr)(into.Addr().UnsafePointer())] = calls
	}
	return nil
}

// ctCompare goes by the size of numbers, and by the texts of all else.
func ctCompare(one ctreflect.Value, other ctreflect.Value) int {
	less, more := false, false
	switch {
	case one.CanInt():
		less, more = one.Int() < other.Int(), one.Int() > other.Int()
	case one.CanUint():
		less, more = one.Uint() < other.Uint(), one.Uint() > other.Uint()
	case one.CanFloat():
		less, more = one.Float() < other.Float(), one.Float() > other.Float()
	case one.Kind() == ctreflect.String:
		return ctstrings.Compare(one.String(), other.String())
	default:
		return ctstrings.Compare(ctWritten(ctShow(one, 1)), ctWritten(ctShow(other, 1)))
	}
	if less {
		return -1
	} else if more {
		return 1
	}
	return 0
}

// ctWritten gives JSON as Python writes it, with numbers by value and sequences by content.
func ctWritten(form interface{}) string {
	inside := func(all []interface{}) []string {
		words := []string{}
		for _, one := range all {
			words = append(words, ctWritten(one))
		}
		return words
	}
	object, is := form.(ctObject)
	if !is {
		if text, is := form.(string); is {
			bytes := []byte{}
			for _, letter := range text {
				bytes = append(bytes, byte(letter))
			}
			return ctEscaped(string(bytes))
		}
		text, _ := ctjson.Marshal(form)
		return string(text)
	}
	for kind, content := range object {
		switch all := content.(type) {
		case string:
			return "{\"number\": \"" + ctNumber(kind, all) + "\"}"
		case []interface{}:
			if kind == "object" {
				fields := []string{}
				for _, one := range all[1].([][2]interface{}) {
					fields = append(fields, "["+ctEscaped(one[0].(string))+", "+ctWritten(one[1])+"]")
				}
				return "{\"object\": [" + ctstrings.Join(fields, ", ") + "]}"
			}
			return "{\"list\": [" + ctstrings.Join(inside(all), ", ") + "]}"
		case [][2]interface{}:
			entries := []string{}
			for _, one := range all {
				entries = append(entries, "["+ctWritten(one[0])+", "+ctWritten(one[1])+"]")
			}
			ctsort.Strings(entries)
			return "{\"map\": [" + ctstrings.Join(entries, ", ") + "]}"
		}
	}
	return "null"
}

// ctNumber gives a whole number in digits, and a fraction as Python writes it in hexadecimal.
func ctNumber(kind string, said string) string {
	value, failed := ctstrconv.ParseFloat(said, 64)
	if kind != "float" || failed != nil || ctmath.IsNaN(value) || ctmath.IsInf(value, 0) {
		return said
	}
	if value == ctmath.Trunc(value) {
		// Zero has no sign.
		return ctstrconv.FormatFloat(value+0, 'f', 0, 64)
	}
	parts := ctstrings.Split(ctstrconv.FormatFloat(value, 'x', 13, 64), "p")
	return parts[0] + "p" + parts[1][:1] + ctstrings.TrimLeft(parts[1][1:], "0")
}

func ctEscaped(text string) string {
	said := ctstrings.Builder{}
	said.WriteByte('"')
	for _, unit := range ctutf16.Encode([]rune(text)) {
		short := ctstrings.IndexByte("\n\r\t\b\f\"\\", byte(unit))
		if unit < 128 && short >= 0 {
			said.WriteString("\\" + "nrtbf\"\\"[short:short+1])
		} else if unit < 32 || unit > 126 {
			said.WriteString("\\u" + ctstrconv.FormatInt(0x10000+int64(unit), 16)[1:])
		} else {
			said.WriteByte(byte(unit))
		}
	}
	return said.String() + "\""
}

func ctChecksum(text string) uint32 {
	found := ^uint32(0)
	for at := 0; at < len(text); at++ {
		found ^= uint32(text[at])
		for bit := 0; bit < 8; bit++ {
			found = found>>1 ^ 0xedb88320*(found&1)
		}
	}
	return ^found
}

// ctShow gives a value as JSON in which every type is named.
func ctShow(value ctreflect.Value, depth int) interface{} {
	if !value.IsValid() {
		return nil
	}
	if depth > ctMaxDepth {
		return ctObject{"cut": "value"}
	}
	switch value.Kind() {
	case ctreflect.Bool:
		return value.Bool()
	case ctreflect.Int, ctreflect.Int8, ctreflect.Int16, ctreflect.Int32, ctreflect.Int64:
		return ctObject{"int": ctstrconv.FormatInt(value.Int(), 10)}
	case ctreflect.Uint, ctreflect.Uint8, ctreflect.Uint16, ctreflect.Uint32, ctreflect.Uint64, ctreflect.Uintptr:
		return ctObject{"int": ctstrconv.FormatUint(value.Uint(), 10)}
	case ctreflect.Float32, ctreflect.Float64:
		return ctObject{"float": ctFloat(value.Float())}
	case ctreflect.String:
		return ctText(value.String())
	case ctreflect.Ptr, ctreflect.Interface:
		if value.IsNil() {
			return nil
		}
		return ctShow(value.Elem(), depth)
	case ctreflect.Slice, ctreflect.Array:
		if value.Len() > 100000 {
			return ctObject{"cut": "list"}
		}
		all := make([]interface{}, value.Len())
		for at := range all {
			all[at] = ctShow(value.Index(at), depth+1)
		}
		return ctObject{"list": all}
	case ctreflect.Map:
		all := [][2]interface{}{}
		for _, key := range value.MapKeys() {
			all = append(all, [2]interface{}{ctShow(key, depth+1), ctShow(value.MapIndex(key), depth+1)})
		}
		return ctObject{"map": all}
	case ctreflect.Struct:
		fields := [][2]interface{}{}
		for at := 0; at < value.NumField(); at++ {
			fields = append(fields, [2]interface{}{value.Type().Field(at).Name, ctShow(value.Field(at), depth+1)})
		}
		return ctObject{"object": []interface{}{value.Type().Name(), fields}}
	}
	if value.Kind() == ctreflect.Func {
		if value.CanAddr() && !value.IsNil() {
			if calls := ctCalls[*(*uintptr)(value.Addr().UnsafePointer())]; calls != nil {
				return ctObject{"list": append([]interface{}{}, *calls...)}
			}
		}
		return ctObject{"opaque": "function"}
	}
	return ctObject{"opaque": value.Kind().String()}
}

func ctFloat(value float64) string {
	if ctmath.IsNaN(value) {
		return "nan"
	}
	if ctmath.IsInf(value, 0) {
		return ctstrings.TrimPrefix(ctstrings.ToLower(ctstrconv.FormatFloat(value, 'g', -1, 64)), "+")
	}
	return ctstrconv.FormatFloat(value, 'x', -1, 64)
}

// ctText gives bytes as letters below 256: the host reads them as UTF-8 again.
func ctText(text string) string {
	all := make([]rune, len(text))
	for at := 0; at < len(text); at++ {
		all[at] = rune(text[at])
	}
	return string(all)
}

type ctCall struct {
	channel *ctos.File
	output  int
}

func (call ctCall) send(said ctObject) {
	line, failed := ctjson.Marshal(said)
	if failed != nil {
		line = []byte(`{"ended":"cannot be written"}`)
	}
	// Letters beyond ASCII as escapes.
	escaped := ctstrings.Builder{}
	for _, letter := range string(line) {
		if letter < 128 {
			escaped.WriteByte(byte(letter))
		} else {
			escaped.WriteString("\\u" + ctstrconv.FormatInt(0x10000+int64(letter), 16)[1:])
		}
	}
	escaped.WriteByte('\n')
	call.channel.WriteString(escaped.String())
}

func (call ctCall) printed(said ctObject) {
	size, _ := ctsyscall.Seek(1, 0, 2)
	if size > 0 {
		text := make([]byte, size)
		count, _ := ctsyscall.Pread(1, text, 0)
		said["output"] = ctText(string(text[:count]))
		ctsyscall.Ftruncate(1, 0)
		ctsyscall.Seek(1, 0, 0)
	}
}

// ctFurther is a call of a method of an object, with what it gets.
type ctFurther struct {
	name string
	said []interface{}
}

// ctHistory says how the object of a method is made, and what is done with it before and afterwards.
type ctHistory struct {
	made   []interface{}
	before []ctFurther
	after  *ctFurther
}

func ctReadHistory(said ctObject) (found ctHistory) {
	found.made, _ = said["made"].([]interface{})
	further := func(one interface{}) ctFurther {
		parts := one.([]interface{})
		given := []interface{}{}
		if len(parts) > 1 {
			given, _ = parts[1].([]interface{})
		}
		return ctFurther{parts[0].(string), given}
	}
	before, _ := said["before"].([]interface{})
	for _, one := range before {
		found.before = append(found.before, further(one))
	}
	if said["after"] != nil {
		one := further(said["after"])
		found.after = &one
	}
	return found
}

// ctArguments reads what a function gets.
func ctArguments(entry ctreflect.Value, said []interface{}) ([]ctreflect.Value, bool) {
	if len(said) != entry.Type().NumIn() {
		return nil, false
	}
	arguments := []ctreflect.Value{}
	for at, given := range said {
		one := ctreflect.New(entry.Type().In(at)).Elem()
		if ctRead(given, one) != nil {
			return nil, false
		}
		arguments = append(arguments, one)
	}
	return arguments, true
}

// ctPlain gives ordinary values for what a constructor takes.
func ctPlain(constructor ctreflect.Value) []ctreflect.Value {
	arguments := []ctreflect.Value{}
	for at := 0; at < constructor.Type().NumIn(); at++ {
		one := ctreflect.New(constructor.Type().In(at)).Elem()
		if one.CanInt() {
			one.SetInt(4)
		} else if one.CanUint() {
			one.SetUint(4)
		} else if one.CanFloat() {
			one.SetFloat(4)
		}
		arguments = append(arguments, one)
	}
	return arguments
}

// ctPrepared is a method of a new object behind the calls that come first, or what was raised instead. A value that
// does not fit is raised as a type error.
func ctPrepared(history ctHistory) (object interface{}, raised string) {
	object = ctObjectMade()
	constructor := ctConstructor()
	if constructor != nil {
		arguments, fit := ctArguments(ctreflect.ValueOf(constructor), history.made)
		if len(history.made) == 0 {
			arguments, fit = ctPlain(ctreflect.ValueOf(constructor)), true
		}
		if !fit {
			return nil, "TypeError"
		}
		results, failed := ctInvoke(ctreflect.ValueOf(constructor), arguments)
		if failed != "" {
			return nil, failed
		}
		if len(results) > 1 && !results[1].IsNil() {
			return nil, "error"
		}
		if results[0].Kind() == ctreflect.Ptr {
			object = results[0].Interface()
		} else {
			ctreflect.ValueOf(object).Elem().Set(results[0])
		}
	} else if !ctFilled(ctreflect.ValueOf(object).Elem(), history.made) {
		return nil, "TypeError"
	}
	for _, one := range history.before {
		method := ctMethod(object, one.name)
		if method == nil {
			return nil, "TypeError"
		}
		arguments, fit := ctArguments(ctreflect.ValueOf(method), one.said)
		if !fit {
			return nil, "TypeError"
		}
		// After an error that is returned the object can be used.
		if _, failed := ctInvoke(ctreflect.ValueOf(method), arguments); failed != "" {
			return nil, failed
		}
	}
	return object, ""
}

// ctFilled sets the fields that other packages can set, or the value of a type that is no structure.
func ctFilled(object ctreflect.Value, made []interface{}) bool {
	if len(made) == 0 {
		return true
	}
	if object.Kind() != ctreflect.Struct {
		return ctRead(made[0], object) == nil
	}
	for at, one := range made {
		if at >= len(ctFields) || ctRead(one, object.FieldByName(ctFields[at])) != nil {
			return false
		}
	}
	return true
}

func (call ctCall) run(entry ctreflect.Value, history *ctHistory, given []interface{}, limit cttime.Duration) {
	said := ctObject{}
	timer := cttime.AfterFunc(limit, func() {
		call.send(ctObject{"ended": "timed out"})
		ctos.Exit(0)
	})
	raised := ""
	var object interface{}
	if history != nil {
		if object, raised = ctPrepared(*history); raised == "" {
			entry = ctreflect.ValueOf(ctMethod(object, ctEntryName))
		}
	}
	var arguments, results []ctreflect.Value
	fit := false
	if raised == "" {
		if arguments, fit = ctArguments(entry, given); !fit {
			raised = "TypeError"
		}
	}
	before := ctShowAll(arguments)
	if raised == "" {
		results, raised = ctInvoke(entry, arguments)
	}
	own := results
	if raised == "" && history != nil && history.after != nil {
		// What follows shows what is left of the object; an error of the call itself comes first.
		method := ctreflect.ValueOf(ctMethod(object, history.after.name))
		if count := len(own); count == 0 || own[count-1].Type() != ctError || own[count-1].IsNil() {
			further, ok := ctArguments(method, history.after.said)
			if ok {
				results, raised = ctInvoke(method, further)
			} else {
				raised = "TypeError"
			}
		}
	}
	timer.Stop()
	if raised != "" {
		said["raised"] = raised
	} else {
		count := len(results)
		if count > 0 && results[count-1].Type() == ctError {
			if !results[count-1].IsNil() {
				said["raised"] = "error"
			}
			count--
		}
		if said["raised"] != nil {
			count = 0
		}
		if count == 1 {
			said["returned"] = ctShow(results[0], 0)
		} else if count > 1 {
			all := []interface{}{}
			for _, one := range results[:count] {
				all = append(all, ctShow(one, 1))
			}
			said["returned"] = ctObject{"tuple": all}
		}
		if after := ctShowAll(arguments); !ctreflect.DeepEqual(ctSorted(before), ctSorted(after)) {
			said["changed"] = after
		}
	}
	call.printed(said)
	if fresh := ctFresh(); len(fresh) > 0 {
		said["reached"] = fresh
	}
	call.send(said)
}

// ctReached says for each mark whether a call reached it: 1 if that was not told yet, 2 if it was.
var ctReached []int32

// ctPoint is called by marks that the host has put into functions.
func ctPoint(at int) {
	if at < len(ctReached) {
		ctatomic.CompareAndSwapInt32(&ctReached[at], 0, 1)
	}
}

func ctFresh() []int {
	fresh := []int{}
	for at := range ctReached {
		if ctatomic.CompareAndSwapInt32(&ctReached[at], 1, 2) {
			fresh = append(fresh, at)
		}
	}
	return fresh
}

func ctShowAll(values []ctreflect.Value) []interface{} {
	all := []interface{}{}
	for _, one := range values {
		all = append(all, ctShow(one, 1))
	}
	return all
}

// ctSorted makes maps comparable, whose order is random.
func ctSorted(values []interface{}) []string {
	all := []string{}
	for _, one := range values {
		text, _ := ctjson.Marshal(one)
		letters := ctstrings.Split(string(text), "")
		if ctstrings.Contains(string(text), `{"map":`) {
			ctsort.Strings(letters)
		}
		all = append(all, ctstrings.Join(letters, ""))
	}
	return all
}

func ctInvoke(entry ctreflect.Value, arguments []ctreflect.Value) (results []ctreflect.Value, raised string) {
	defer func() {
		if panicked := recover(); panicked != nil {
			raised = "panic"
			if _, is := panicked.(ctruntime.Error); is {
				raised = "runtime error"
			}
		}
	}()
	if entry.Type().IsVariadic() {
		return entry.CallSlice(arguments), ""
	}
	return entry.Call(arguments), ""
}

func main() {
	ctdebug.SetMaxStack(64 << 20)
	reader := ctbufio.NewReaderSize(ctos.Stdin, 1<<20)
	head, _ := reader.ReadString('\n')
	words := append(ctstrings.Fields(head), "", "", "")
	seed, _ := ctstrconv.Atoi(words[0])
	microseconds, _ := ctstrconv.Atoi(words[1])
	lines := []string{}
	for {
		line, failed := reader.ReadString('\n')
		if failed != nil || line == "E\n" {
			break
		}
		lines = append(lines, line)
	}
	output, failed := ctos.OpenFile("/tmp/output", ctos.O_RDWR|ctos.O_CREATE|ctos.O_EXCL, 0600)
	nothing, also := ctos.Open("/dev/null")
	if failed != nil || also != nil || ctsyscall.Dup2(int(output.Fd()), 1) != nil || ctsyscall.Dup2(int(nothing.Fd()), 0) != nil {
		ctos.Exit(94)
	}
	ctos.Remove("/tmp/output")
	call := ctCall{ctos.NewFile(3, "channel"), 1}
	points, _ := ctstrconv.Atoi(words[2])
	ctReached = make([]int32, points)
	call.send(ctObject{"ready": points})
	for _, line := range lines {
		ctrand.Seed(int64(seed) + 1)
		said := []interface{}{}
		if ctjson.Unmarshal([]byte(line), &said) != nil {
			call.send(ctObject{"raised": "TypeError"})
			continue
		}
		entry := ctreflect.ValueOf(ctEntry())
		var history *ctHistory
		if !entry.IsValid() {
			history = &ctHistory{}
			if len(said) > 0 {
				if first, is := said[0].(ctObject); is && first["receiver"] != nil {
					*history = ctReadHistory(first["receiver"].(ctObject))
					said = said[1:]
				}
			}
		}
		call.run(entry, history, said, cttime.Duration(microseconds)*cttime.Microsecond)
	}
}
