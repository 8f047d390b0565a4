import NIOCore

extension PushLoop {
    /// Looks at deadlines from now on, for as long as there is anything to wait for.
    func startSweeping() {
        // Pages that follow close upon another must not put the sweep off again and again.
        guard !isSweepingOften else { return }
        isSweepingOften = true
        sweep?.cancel()
        nextFlush = .now()
        scheduleSweep(in: limits.sweepInterval)
    }

    private func scheduleSweep(in delay: TimeAmount) {
        sweep = eventLoop.assumeIsolated().scheduleTask(in: delay) { self.sweepNow() }
    }

    private func sweepNow() {
        sweep = nil
        let now = NIODeadline.now()
        if hasAnswered { lastAnswer = now }
        hasAnswered = false
        endLate(now)
        closeUnused(now)
        flushPages(now: now)
        isSweepingOften = !pages.isEmpty || !openings.isEmpty
        if isSweepingOften {
            token.refresh()
            scheduleSweep(in: limits.sweepInterval)
        } else if !connections.isEmpty {
            scheduleSweep(in: Self.idleLimit)
        }
    }

    private func endLate(_ now: NIODeadline) {
        let late = connections.filter { $0.flight.map { $0.deadline <= now } ?? false }
        for connection in late {
            guard let flight = connection.takeFlight() else { continue }
            // Not a word to anybody in all of its time: whoever goes next would wait as long in vain.
            let isSilent =
                !connection.parser.hasHead && lastAnswer < flight.deadline - limits.requestTimeout
            retire(connection, abruptly: true)
            conclude(flight, connection.parser, orElse: .timedOut)
            if isSilent {
                isReachable = false
                failWaiting(TransportFailure(cause: .timedOut))
            }
        }
        for opening in openings {
            if let flight = opening.flight, flight.deadline <= now {
                opening.flight = nil
                fail(flight, TransportFailure(cause: .timedOut))
            }
            // Without a connection yet, the system's own timer ends it.
            if opening.connection != nil, opening.deadline <= now {
                abandon(opening, TransportFailure(cause: .tlsHandshake))
            }
        }
        pump()
    }

    /// Closes connections that were without work for too long.
    func closeUnused(_ now: NIODeadline) {
        for connection in idle where connection.idleSince + Self.idleLimit <= now {
            retire(connection, abruptly: false)
        }
    }
}
