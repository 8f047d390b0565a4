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
                self.abandon(opening, TransportFailure(error, requestBegan: false).cause)
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
            return abandon(opening, connection.failure ?? .connectionLost)
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
    func abandon(_ opening: OpeningConnection, _ cause: TransportFailure.Cause) {
        guard let place = openings.firstIndex(where: { $0 === opening }) else { return }
        openings.remove(at: place)
        if let flight = opening.flight { fail(flight, TransportFailure(cause: cause)) }
        opening.connection?.close(abruptly: true)
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
            return abandon(opening, .connectionLost)
        }
        guard !isShutDown, openings.contains(where: { $0 === opening }), channel.isActive else {
            connection.close(abruptly: true)
            return abandon(opening, connection.failure ?? .connectionLost)
        }
        opening.connection = connection
        connection.report(to: self)
        if connection.isReady { ready(opening, connection) }
    }

    private func ready(_ opening: OpeningConnection, _ connection: PushConnection) {
        openings.removeAll { $0 === opening }
        connection.place = connections.count
        connections.append(connection)
        if let flight = opening.flight {
            send(flight, over: connection)
        } else {
            feed(connection)
        }
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
