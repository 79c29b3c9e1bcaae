//go:build unix

package code

import (
	"encoding/gob"
	"encoding/json"
	"errors"
	"os"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/dop251/goja"

	"talaria/engine"
	"talaria/engine/tools/child"
)

// Bounds of the interpreter's process. A program that grows step by step is told memoryMax; one that asks for far more at
// once is ended by the system at dataMax, which counts all that the process may write to (Linux).
const (
	memoryMax = 256 << 20
	dataMax   = 1 << 30
	watchTime = 10 * time.Millisecond
	stackMax  = 2_000 // JavaScript calls in one another
)

func init() { child.Register(scriptName, interpret) }

// interpreter is the process in which a program runs.
type interpreter struct {
	vm  *goja.Runtime
	say *gob.Encoder
	in  *gob.Decoder

	source string // of the program
}

// interpret runs the one program that the parent sends.
func interpret(parent *os.File) int {
	limit()
	host := os.Getppid()
	i := &interpreter{vm: goja.New(), say: gob.NewEncoder(parent), in: gob.NewDecoder(parent)}
	var p program
	if i.in.Decode(&p) != nil {
		return 2
	}
	engine.Go("watch", func() { i.watch(host) })
	i.vm.SetMaxCallStackSize(stackMax)
	for _, name := range []string{"ArrayBuffer", "SharedArrayBuffer", "DataView", "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array",
		"Int32Array", "Uint32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"} {
		i.vm.GlobalObject().Delete(name) // large at one stroke, and of no use without files
	}
	console := i.vm.NewObject()
	for _, name := range []string{"log", "info", "warn", "error", "debug"} {
		console.Set(name, i.log)
	}
	i.vm.Set("console", console)
	for _, name := range p.Names {
		i.vm.Set(name, i.function(name))
	}
	i.say.Encode(i.outcome(p.Code))
	i.in.Decode(&answer{}) // the parent ends this process when it has heard all
	return 0
}

// watch ends a program whose memory has grown past its limit, and one whose parent was killed.
func (i *interpreter) watch(parent int) {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for range time.Tick(watchTime) {
		if os.Getppid() != parent {
			os.Exit(2)
		}
		if metrics.Read(heap); heap[0].Value.Uint64() > memoryMax {
			i.vm.Interrupt(errMemory)
			time.Sleep(watchTime * 10) // the interpreter answers between two steps; one long step is not waited for
			os.Stderr.WriteString("out of memory\n")
			os.Exit(3)
		}
	}
}

var errMemory = errors.New("out of memory")

// outcome runs source as the body of an async function.
func (i *interpreter) outcome(source string) said {
	i.source = source
	v, err := i.vm.RunScript("program", before+source+after)
	if err != nil {
		return said{Done: true, Fault: told(explain(err), source)}
	}
	p, ok := v.Export().(*goja.Promise)
	switch {
	case !ok:
		return said{Done: true, Fault: "the program is not the body of a function"}
	case p.State() == goja.PromiseStateRejected:
		return said{Done: true, Fault: told(i.thrown(p.Result()), source)}
	case p.State() == goja.PromiseStatePending:
		return said{Done: true, Fault: "it waits for something that never comes"}
	}
	return said{Done: true, Value: i.show(p.Result())}
}

func explain(err error) string {
	var ex *goja.Exception
	var stop *goja.InterruptedError
	var deep *goja.StackOverflowError
	switch {
	case errors.As(err, &stop):
		os.Stderr.WriteString("out of memory\n")
		os.Exit(3)
	case errors.As(err, &deep):
		return "RangeError: too many calls in one another\n" + deep.String()
	case errors.As(err, &ex):
		return strings.TrimSpace(ex.String())
	}
	return err.Error()
}

// thrown is what a program threw, with the place where it knows one.
func (i *interpreter) thrown(v goja.Value) string {
	if o, ok := v.(*goja.Object); ok {
		if stack := o.Get("stack"); stack != nil && !goja.IsUndefined(stack) {
			return strings.TrimSpace(stack.String())
		}
	}
	return i.show(v)
}

// show writes a value as a reader wants it: a string as it is, nothing for undefined, all else as JSON.
func (i *interpreter) show(v goja.Value) string {
	switch {
	case v == nil || goja.IsUndefined(v):
		return ""
	case v.ExportType() != nil && v.ExportType().Kind().String() == "string":
		return v.String()
	}
	if o, ok := v.(*goja.Object); ok {
		if stack := o.Get("stack"); o.ClassName() == "Error" && stack != nil {
			return told(stack.String(), i.source)
		}
	}
	stringify, _ := goja.AssertFunction(i.vm.Get("JSON").ToObject(i.vm).Get("stringify"))
	text, err := stringify(goja.Undefined(), v)
	if err != nil || goja.IsUndefined(text) {
		return v.String() // a function, a symbol, or an object that holds itself
	}
	return text.String()
}

func (i *interpreter) log(c goja.FunctionCall) goja.Value {
	var words []string
	for _, a := range c.Arguments {
		w := i.show(a)
		if goja.IsUndefined(a) {
			w = "undefined"
		}
		words = append(words, w)
	}
	i.say.Encode(said{Log: strings.Join(words, " ") + "\n"})
	return goja.Undefined()
}

// function is the tool of that name: it takes one object and gives the result's text, or throws.
func (i *interpreter) function(name string) func(goja.FunctionCall) goja.Value {
	return func(c goja.FunctionCall) goja.Value {
		args := "{}"
		if a := c.Argument(0); !goja.IsUndefined(a) && !goja.IsNull(a) {
			if _, ok := a.(*goja.Object); !ok || len(c.Arguments) > 1 {
				panic(i.vm.NewTypeError("%s takes one object with its arguments", name))
			}
			args = i.show(a)
		}
		if !json.Valid([]byte(args)) {
			panic(i.vm.NewTypeError("the arguments of %s cannot be written as JSON", name))
		}
		var a answer
		if i.say.Encode(said{Call: name, Args: args}) != nil || i.in.Decode(&a) != nil {
			os.Exit(2) // the parent is gone
		}
		if a.Status == "" {
			return i.vm.ToValue(a.Text)
		}
		e, err := i.vm.New(i.vm.Get("Error"), i.vm.ToValue(a.Text))
		if err != nil {
			panic(err)
		}
		e.Set("status", a.Status)
		panic(i.vm.ToValue(e))
	}
}
