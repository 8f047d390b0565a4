import NIOCore

extension PushLoop {
    /// Closes every connection, and begins nothing more.
    ///
    /// - Parameter promise: is kept once the last one is closed.
    func shutDown(_ promise: EventLoopPromise<Void>) {
        isShutDown = true
        shutdowns.append(promise)
        for page in pages {
            schedule.remove(page)
            page.failRest(TransportFailure(cause: .shutDown))
        }
        for connection in connections {
            let flight = connection.takeFlight()
            retire(connection, abruptly: flight != nil)
            if let flight { conclude(flight, connection.parser, orElse: .shutDown) }
        }
        for opening in openings {
            if let flight = opening.flight {
                opening.flight = nil
                fail(flight, TransportFailure(cause: .shutDown))
            }
            if opening.connection != nil { abandon(opening, TransportFailure(cause: .shutDown)) }
        }
        // What is still being connected closes itself when it is, and nobody waits for it.
        openings.removeAll { $0.connection == nil }
        for page in pages where page.open == 0 {
            pages.removeAll { $0 === page }
            page.flush()
        }
        sweep?.cancel()
        finishShutdown()
    }

    /// Keeps the promises, once nothing is left.
    func finishShutdown() {
        guard isShutDown, openings.isEmpty, channels == 0 else { return }
        let promises = shutdowns
        shutdowns = []
        for promise in promises { promise.succeed() }
    }
}
