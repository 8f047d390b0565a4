import CampaignCore
import NIOCore

extension PushLoop {
    /// Results are handed over this long after the last ones; the sweep comes a little later.
    private static let flushInterval = TimeAmount.milliseconds(150)

    /// Takes a page.
    func begin(_ page: OutgoingPage) {
        if page.results.isCancelled {
            page.dropRest()
        } else if isShutDown {
            page.failRest(TransportFailure(cause: .shutDown))
        }
        guard page.hasNext else { return page.flush() }
        token.refresh()
        pages.append(page)
        schedule.add(page)
        startSweeping()
        closeUnused(.now())
        pump()
    }

    /// Ends what has not begun of a page whose task was cancelled.
    func cancel(_ results: PageResults) {
        guard let page = pages.first(where: { $0.results === results }) else { return }
        drop([page])
        pump()
    }

    /// Gives a push its result.
    func finish(_ flight: PushFlight, _ result: consuming PushResult) {
        let page = flight.page
        let disposition = result.disposition
        page.finish(result)
        schedule.end(page.platform)
        if case .stop = disposition { drop(pages) }
        if page.open == 0 { complete(page) }
    }

    /// Ends what has not begun of all pages with the failure that it would meet too.
    func failWaiting(_ failure: TransportFailure) {
        for page in pages {
            schedule.remove(page)
            page.failRest(failure)
            if page.open == 0 { complete(page) } else { page.flush() }
        }
    }

    /// Hands over what has finished of every page, when it is time.
    func flushPages(now: NIODeadline) {
        guard now >= nextFlush else { return }
        nextFlush = now + Self.flushInterval
        for page in pages { page.flush() }
    }

    /// Ends what has not begun of pages.
    private func drop(_ dropped: [OutgoingPage]) {
        for page in dropped {
            schedule.remove(page)
            page.dropRest()
        }
        // Nothing of these has gone out: they wait for a connection.
        for opening in openings {
            guard let flight = opening.flight, flight.requests == 0,
                dropped.contains(where: { $0 === flight.page })
            else { continue }
            opening.flight = nil
            flight.page.finish(
                PushResult(number: flight.number, disposition: .notSent, requests: 0))
            schedule.end(flight.page.platform)
        }
        for page in dropped {
            if page.open == 0 { complete(page) } else { page.flush() }
        }
    }

    private func complete(_ page: OutgoingPage) {
        guard let place = pages.firstIndex(where: { $0 === page }) else { return }
        pages.remove(at: place)
        page.flush()
    }
}
