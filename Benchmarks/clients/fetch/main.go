// Fetches notifications as fast as possible, or at a fixed rate, and prints the results as one line of JSON.
//
// Each request takes the next pair of a token and an id; -repeat starts again after the last pair. The program
// contains its own HTTP/1.1 code, because a general client would need as much processor time as the servers.
//
// Usage:
//
//	fetch [options] ADDRESS PAIRS        PAIRS is a file of lines "token id"
//	fetch -sign KEY [options] <NAMES     prints such lines for lines "user id"
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"os/signal"
	"runtime"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// The total size of all read buffers; each has at least 4,096 bytes.
const buffers = 4 << 20

var (
	connections = flag.Int("connections", 64, "how many are open at a time")
	isNew       = flag.Bool("new", false, "a new connection for each request")
	isTLS       = flag.Bool("tls", false, "over TLS, with a full handshake for each connection")
	isList      = flag.Bool("list", false, "fetch the list of each person instead")
	canRepeat   = flag.Bool("repeat", false, "start again when all pairs were used")
	rate        = flag.Float64("rate", 0, "requests a second; 0: as fast as it goes")
	seconds     = flag.Float64("seconds", 1e9, "for how long")
	skip        = flag.Int("skip", 0, "the first pair")
	count       = flag.Int("count", 0, "how many pairs; 0: all")
	key         = flag.String("sign", "", "sign tokens with this key instead")
	issuer      = flag.String("issuer", "benchmark", "the tokens' issuer")
	audience    = flag.String("audience", "hubsend", "the tokens' audience")
	life        = flag.Duration("life", 3*time.Hour, "how long the tokens are valid")
)

type pair struct{ token, id []byte }

// load is the state that all connections share.
type load struct {
	address  string
	pairs    []pair
	next     atomic.Int64
	isEnding atomic.Bool
	start    time.Time
}

// worker has one connection at a time.
type worker struct {
	*load
	source     net.IP
	connection net.Conn
	reader     *bufio.Reader
	request    []byte
	// The duration of each request, in microseconds.
	latencies []uint32
	failures  int
	failure   error
}

func main() {
	log.SetFlags(0)
	flag.Parse()
	if *key != "" {
		sign()
		return
	}
	if flag.NArg() != 2 {
		log.Fatal("usage: fetch [options] ADDRESS PAIRS | fetch -sign KEY [options]")
	}
	if !*isTLS {
		// One thread needs half of the processor time of two, which leaves more to the server.
		runtime.GOMAXPROCS(1)
	}
	l := &load{address: flag.Arg(0), pairs: readPairs(flag.Arg(1))}
	workers := make([]*worker, *connections)
	for number := range workers {
		// Each phone has a separate address, because one address has too few ports for all phones.
		workers[number] = &worker{load: l, source: net.IPv4(127, 1, byte(number/250), byte(number%250+1))}
		if !*isNew {
			check(workers[number].connect())
		}
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	l.start = time.Now()
	timer := time.AfterFunc(time.Duration(*seconds*1e9), func() { l.isEnding.Store(true) })
	defer timer.Stop()
	go func() {
		<-stop
		l.isEnding.Store(true)
	}()
	var wait sync.WaitGroup
	for _, each := range workers {
		wait.Add(1)
		go func(each *worker) {
			defer wait.Done()
			each.run()
		}(each)
	}
	wait.Wait()
	report(workers, time.Since(l.start))
}

func (w *worker) run() {
	for !w.isEnding.Load() {
		number := w.next.Add(1) - 1
		if number >= int64(len(w.pairs)) && !*canRepeat {
			return
		}
		begin := time.Now()
		if *rate > 0 {
			begin = w.start.Add(time.Duration(float64(number) / *rate * 1e9))
			time.Sleep(time.Until(begin))
		}
		if err := w.fetch(w.pairs[number%int64(len(w.pairs))]); err != nil {
			w.failures++
			w.failure = err
			w.close()
			continue
		}
		w.latencies = append(w.latencies, uint32(time.Since(begin).Microseconds()))
	}
	w.close()
}

func (w *worker) fetch(each pair) error {
	if w.connection == nil {
		if err := w.connect(); err != nil {
			return err
		}
	}
	w.request = append(w.request[:0], "GET /api/notifications"...)
	if !*isList {
		w.request = append(append(w.request, '/'), each.id...)
	}
	w.request = append(append(w.request, " HTTP/1.1\r\nHost: "...), w.address...)
	w.request = append(append(w.request, "\r\nAuthorization: Bearer "...), each.token...)
	if *isNew {
		w.request = append(w.request, "\r\nConnection: close"...)
	}
	w.request = append(w.request, "\r\n\r\n"...)
	check(w.connection.SetDeadline(time.Now().Add(time.Minute)))
	if _, err := w.connection.Write(w.request); err != nil {
		return err
	}
	if err := w.answer(); err != nil {
		return err
	}
	if *isNew {
		w.close()
	}
	return nil
}

// answer reads one answer, which must be a 200 with a length.
func (w *worker) answer() error {
	line, err := w.reader.ReadSlice('\n')
	if err != nil {
		return err
	}
	if len(line) < 12 || !bytes.Equal(line[9:12], []byte("200")) {
		return fmt.Errorf("the answer is %q", line)
	}
	length := -1
	for {
		line, err := w.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		if bytes.EqualFold(name, []byte("Content-Length")) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
	if length < 0 {
		return errors.New("the answer has no length")
	}
	_, err = w.reader.Discard(length)
	return err
}

func (w *worker) connect() error {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: w.source}, Timeout: time.Minute}
	connection, err := dialer.Dial("tcp", w.address)
	if err != nil {
		return err
	}
	if *isTLS {
		connection = tls.Client(connection, &tls.Config{InsecureSkipVerify: true})
		if err := connection.(*tls.Conn).Handshake(); err != nil {
			return err
		}
	}
	w.connection = connection
	if w.reader == nil {
		w.reader = bufio.NewReaderSize(connection, max(4096, buffers / *connections))
	}
	w.reader.Reset(connection)
	return nil
}

func (w *worker) close() {
	if w.connection != nil {
		w.connection.Close()
		w.connection = nil
	}
}

func report(workers []*worker, time time.Duration) {
	var latencies []uint32
	result := map[string]interface{}{"seconds": time.Seconds()}
	failures := 0
	for _, each := range workers {
		latencies = append(latencies, each.latencies...)
		failures += each.failures
		if each.failure != nil {
			result["failure"] = each.failure.Error()
		}
	}
	sort.Slice(latencies, func(i, j int) bool { return latencies[i] < latencies[j] })
	for name, share := range map[string]float64{"p50": 0.50, "p99": 0.99} {
		if len(latencies) > 0 {
			result[name] = float64(latencies[int(share*float64(len(latencies)))]) / 1000
		}
	}
	result["answers"], result["failures"] = len(latencies), failures
	result["rate"] = float64(len(latencies)) / time.Seconds()
	check(json.NewEncoder(os.Stdout).Encode(result))
}

func readPairs(path string) []pair {
	text, err := os.ReadFile(path)
	check(err)
	var pairs []pair
	for number := 0; len(text) > 0 && (*count == 0 || len(pairs) < *count); number++ {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte("\n"))
		if number >= *skip {
			token, id, _ := bytes.Cut(line, []byte(" "))
			pairs = append(pairs, pair{token, id})
		}
	}
	if len(pairs) == 0 {
		log.Fatal("there is no pair")
	}
	return pairs
}

func max(one, other int) int {
	if one > other {
		return one
	}
	return other
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
