import CampaignCore

/// A page on its way to the hub, and where its results go.
final class OutgoingPage: Sendable {
    // Its parts one by one: taking the page apart for each push would cost more than using it.
    let platform: Platform
    let pushes: [Push]
    let interval: Duration?
    let platformInterval: Duration?
    let concurrency: Int?
    let run: RunID?
    private let lease: RunLease?
    /// Who each push is for, as the header has it; nil: its usernames say so.
    let audiences: [String]?
    let template: RequestTemplate
    let results: PageResults

    /// Takes a page apart.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - audiences: who each push is for, as the header has it; nil: its usernames say so.
    ///   - template: what its requests share.
    ///   - results: takes what becomes of its pushes.
    init(
        _ page: PushPage, audiences: [String]? = nil, template: RequestTemplate,
        results: PageResults
    ) {
        platform = page.platform
        pushes = page.pushes
        interval = page.interval
        platformInterval = page.platformInterval
        concurrency = page.concurrency
        run = page.run
        lease = page.lease
        self.audiences = audiences
        self.template = template
        self.results = results
    }

    /// Whether a request of it may be written at this moment.
    var mayGoOut: Bool { lease?.isHeld ?? true }
}

/// Results of one page that are handed over together.
struct ResultBatch {
    let page: OutgoingPage
    let results: [PushResult]
    /// Whether every push of the page has its result now.
    let isLast: Bool
}

/// The pages of which some pushes have no result yet.
struct OpenPages {
    /// Names a page; no two have the same.
    typealias ID = Int

    private struct Entry {
        let id: ID
        let page: OutgoingPage
        /// Pushes without a result.
        var open: Int
        /// Results that were not handed over yet.
        var finished: [PushResult] = []

        mutating func takeBatch() -> ResultBatch {
            var results: [PushResult] = []
            swap(&results, &finished)
            return ResultBatch(page: page, results: results, isLast: open == 0)
        }
    }

    private var entries: [Entry] = []
    private var last = 0

    var isEmpty: Bool { entries.isEmpty }

    /// The pages, the oldest first.
    var ids: [ID] { entries.map(\.id) }

    /// The page of an id, while it has pushes without a result.
    subscript(id: ID) -> OutgoingPage? { place(of: id).map { entries[$0].page } }

    /// The id of a page.
    func id(of page: OutgoingPage) -> ID? {
        entries.first { $0.page === page }?.id
    }

    /// Takes a page in, which has a push at least.
    mutating func add(_ page: OutgoingPage) -> ID {
        last += 1
        var entry = Entry(id: last, page: page, open: page.pushes.count)
        entry.finished.reserveCapacity(page.pushes.count)
        entries.append(entry)
        return last
    }

    /// Keeps the result of a push of a page.
    ///
    /// - Returns: all results that were kept, when this is the page's last.
    mutating func keep(_ result: consuming PushResult, of id: ID) -> ResultBatch? {
        guard let place = place(of: id) else { return nil }
        entries[place].finished.append(result)
        entries[place].open -= 1
        guard entries[place].open == 0 else { return nil }
        var entry = entries.remove(at: place)
        return entry.takeBatch()
    }

    /// Takes the results that were kept of all pages.
    mutating func takeBatches() -> [ResultBatch] {
        entries.indices.compactMap { entries[$0].finished.isEmpty ? nil : entries[$0].takeBatch() }
    }

    private func place(of id: ID) -> Int? {
        for place in entries.indices where entries[place].id == id { return place }
        return nil
    }
}
