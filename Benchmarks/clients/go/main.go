// Sends one request for each name of a CSV file over 64 persistent connections, and prints the requests per second.
//
// This program is simple: it records nothing and retries nothing.
//
// Usage: client URL REQUEST NAMES
package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

const workers = 64

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: client URL REQUEST NAMES")
	}
	header, body := request(os.Args[2])
	client := &http.Client{Transport: &http.Transport{
		MaxIdleConns: workers, MaxIdleConnsPerHost: workers, DisableCompression: true,
	}}
	names := read(os.Args[3])
	queue := make(chan string, 4096)
	var wait sync.WaitGroup
	start := time.Now()
	for worker := 0; worker < workers; worker++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for name := range queue {
				send(client, os.Args[1], header, body, name)
			}
		}()
	}
	for _, name := range names {
		queue <- name
	}
	close(queue)
	wait.Wait()
	fmt.Printf("%.1f\n", float64(len(names))/time.Since(start).Seconds())
}

// send posts one request; any answer except 201 ends the measurement.
func send(client *http.Client, url string, shared http.Header, body []byte, name string) {
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header = shared.Clone()
	request.Header.Set("ServiceBusNotification-Tags", "username:"+name)
	request.Header.Set("TrackingId", guid())
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		log.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusCreated {
		log.Fatalf("the hub answered %s", response.Status)
	}
}

func guid() string {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		log.Fatal(err)
	}
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// request reads headers, an empty line and a body.
func request(path string) (http.Header, []byte) {
	text, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	head, body, _ := strings.Cut(string(text), "\n\n")
	header := http.Header{}
	for _, line := range strings.Split(head, "\n") {
		name, value, _ := strings.Cut(line, ": ")
		header.Set(name, value)
	}
	return header, []byte(body)
}

// read returns the names of a CSV file with one column and a header.
func read(path string) []string {
	file, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	var names []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		names = append(names, lines.Text())
	}
	return names[1:]
}
