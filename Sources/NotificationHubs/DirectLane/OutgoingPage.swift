import CampaignCore

/// A page on its way: what is next of it, and what has become of the rest.
final class OutgoingPage {
    // Its parts one by one: taking the page apart for each push would cost more than using it.
    let platform: Platform
    let pushes: [Push]
    let interval: Duration?
    let platformInterval: Duration?
    let concurrency: Int?
    let template: RequestTemplate
    let results: PageResults

    /// The first push that has not begun.
    private(set) var next = 0

    /// Pushes without a result.
    private(set) var open: Int

    /// Results that were not handed over yet.
    private var finished: [PushResult] = []

    var hasNext: Bool { next < pushes.count }

    /// Begins a page.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - template: what its requests share.
    ///   - results: takes what becomes of its pushes.
    init(_ page: PushPage, template: RequestTemplate, results: PageResults) {
        platform = page.platform
        pushes = page.pushes
        interval = page.interval
        platformInterval = page.platformInterval
        concurrency = page.concurrency
        self.template = template
        self.results = results
        open = page.pushes.count
        finished.reserveCapacity(page.pushes.count)
    }

    /// Takes the next push.
    ///
    /// - Returns: its index.
    func takeNext() -> Int {
        defer { next += 1 }
        return next
    }

    /// Keeps a result until it is handed over.
    func finish(_ result: consuming PushResult) {
        finished.append(result)
        open -= 1
    }

    /// Ends everything that has not begun as not sent.
    func dropRest() {
        while hasNext {
            finish(
                PushResult(
                    number: pushes[takeNext()].number, disposition: .notSent, requests: 0))
        }
    }

    /// Ends everything that has not begun with the same failure.
    func failRest(_ failure: TransportFailure) {
        while hasNext { finish(PushResult(number: pushes[takeNext()].number, failure)) }
    }

    /// Hands over what has finished.
    func flush() {
        guard !finished.isEmpty || open == 0 else { return }
        let batch = finished
        finished = []
        results.post(batch, isLast: open == 0)
    }
}
