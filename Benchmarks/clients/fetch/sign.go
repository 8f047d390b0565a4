package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"log"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

// sign prints a token (ES256, RFC 7518) and an id for each "user id" of standard input, in the same order.
func sign() {
	text, err := os.ReadFile(*key)
	check(err)
	block, _ := pem.Decode(text)
	if block == nil {
		log.Fatalf("%s is not PEM", *key)
	}
	signer, err := x509.ParseECPrivateKey(block.Bytes)
	check(err)
	var lines []string
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		lines = append(lines, input.Text())
	}
	check(input.Err())
	var wait sync.WaitGroup
	part := len(lines)/runtime.NumCPU() + 1
	for from := 0; from < len(lines); from += part {
		to := from + part
		if to > len(lines) {
			to = len(lines)
		}
		wait.Add(1)
		go func(lines []string) {
			defer wait.Done()
			for number, each := range lines {
				user, id, _ := strings.Cut(each, " ")
				lines[number] = token(signer, user) + " " + id
			}
		}(lines[from:to])
	}
	wait.Wait()
	output := bufio.NewWriter(os.Stdout)
	for _, each := range lines {
		fmt.Fprintln(output, each)
	}
	check(output.Flush())
}

func token(signer *ecdsa.PrivateKey, user string) string {
	now := time.Now()
	head, err := json.Marshal(map[string]string{"alg": "ES256", "typ": "JWT", "kid": "benchmark"})
	check(err)
	claims, err := json.Marshal(map[string]interface{}{
		"iss": *issuer, "aud": *audience, "sub": user, "iat": now.Add(-time.Minute).Unix(), "exp": now.Add(*life).Unix(),
	})
	check(err)
	body := base64.RawURLEncoding.EncodeToString(head) + "." + base64.RawURLEncoding.EncodeToString(claims)
	digest := sha256.Sum256([]byte(body))
	r, s, err := ecdsa.Sign(rand.Reader, signer, digest[:])
	check(err)
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return body + "." + base64.RawURLEncoding.EncodeToString(signature)
}
