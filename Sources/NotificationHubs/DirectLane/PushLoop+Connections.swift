import NIOCore

extension PushLoop {
    /// Makes a connection for a push.
    func open(for flight: PushFlight) {
        let opening = OpeningConnection(for: flight, deadline: .now() + limits.connectTimeout)
        openings.append(opening)
        connector.connect(on: eventLoop).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let channel): self.connected(opening, channel)
            case .failure(let error):
                self.abandon(opening, TransportFailure(error, requestBegan: false))
            }
        }
    }

    /// TLS is agreed on.
    func agreed(_ connection: PushConnection) {
        guard let opening = openings.first(where: { $0.connection === connection }) else { return }
        ready(opening, connection)
    }

    /// A connection came to its end, without being given up.
    func ended(_ connection: PushConnection) {
        if let opening = openings.first(where: { $0.connection === connection }) {
            return abandon(opening, connection.openingFailure)
        }
        forget(connection)
        guard let flight = connection.takeFlight() else { return }
        let cause = connection.endAnswer()
        conclude(flight, connection.parser, orElse: cause)
        pump()
    }

    /// Gives a connection up.
    func retire(_ connection: PushConnection, abruptly: Bool) {
        forget(connection)
        connection.close(abruptly: abruptly)
    }

    /// Gives up making a connection.
    ///
    /// When it was the last hope, whatever waits for one learns of it too, and nobody has to find out by themselves.
    func abandon(_ opening: OpeningConnection, _ failure: TransportFailure) {
        guard let place = openings.firstIndex(where: { $0 === opening }) else { return }
        openings.remove(at: place)
        if let flight = opening.flight { fail(flight, failure) }
        opening.connection?.close(abruptly: true)
        isReachable = false
        if connections.isEmpty, openings.isEmpty { failWaiting(failure) }
        // Later, since a connection can fail while it is asked for.
        eventLoop.assumeIsolated().execute { self.pump() }
        finishShutdown()
    }

    private func connected(_ opening: OpeningConnection, _ channel: any Channel) {
        channels += 1
        channel.closeFuture.assumeIsolated().whenComplete { _ in
            self.channels -= 1
            self.finishShutdown()
        }
        let connection: PushConnection
        do {
            connection = try channel.pipeline.syncOperations.handler(type: PushConnection.self)
        } catch {
            // The channel has ended already, and its handlers have left.
            return abandon(opening, TransportFailure(cause: .connectionLost))
        }
        guard !isShutDown, openings.contains(where: { $0 === opening }), channel.isActive else {
            connection.close(abruptly: true)
            return abandon(opening, connection.openingFailure)
        }
        opening.connection = connection
        connection.report(to: self)
        if connection.isReady { ready(opening, connection) }
    }

    private func ready(_ opening: OpeningConnection, _ connection: PushConnection) {
        openings.removeAll { $0 === opening }
        connection.place = connections.count
        connections.append(connection)
        let wasReachable = isReachable
        isReachable = true
        if let flight = opening.flight {
            send(flight, over: connection)
        } else {
            feed(connection)
        }
        if !wasReachable { pump() }
    }

    private func forget(_ connection: PushConnection) {
        let place = connection.place
        guard place < connections.count, connections[place] === connection else { return }
        let last = connections.removeLast()
        if last !== connection {
            connections[place] = last
            last.place = place
        }
        if connection.flight == nil { idle.removeAll { $0 === connection } }
    }
}

extension PushConnection {
    /// Why it never carried a request.
    fileprivate var openingFailure: TransportFailure {
        TransportFailure(cause: failure ?? .connectionLost)
    }
}
