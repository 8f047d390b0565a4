import CampaignCore

final class OutgoingPage: Sendable {
    // The parts of the page are stored separately, because taking the page apart for each push
    // would be slower.
    let platform: Platform
    let pushes: [Push]
    let interval: Duration?
    let platformInterval: Duration?
    let concurrency: Int?
    let run: RunID?
    private let lease: RunLease?
    /// The audience of each push as a header; nil means that its usernames are used.
    let audiences: [String]?
    let template: RequestTemplate
    let results: PageResults

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

    /// Whether requests of the page can be written now.
    var mayGoOut: Bool { lease?.isHeld ?? true }
}

struct ResultBatch {
    let page: OutgoingPage
    let results: [PushResult]
    let isLast: Bool
}

struct OpenPages {
    typealias ID = Int

    private struct Entry {
        let id: ID
        let page: OutgoingPage
        var open: Int
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

    /// The pages, oldest first.
    var ids: [ID] { entries.map(\.id) }

    subscript(id: ID) -> OutgoingPage? { place(of: id).map { entries[$0].page } }

    func id(of page: OutgoingPage) -> ID? {
        entries.first { $0.page === page }?.id
    }

    /// Adds a page with at least one push.
    mutating func add(_ page: OutgoingPage) -> ID {
        last += 1
        var entry = Entry(id: last, page: page, open: page.pushes.count)
        entry.finished.reserveCapacity(page.pushes.count)
        entries.append(entry)
        return last
    }

    /// Stores a result; returns all results of the page if it was the last one.
    mutating func keep(_ result: consuming PushResult, of id: ID) -> ResultBatch? {
        guard let place = place(of: id) else { return nil }
        entries[place].finished.append(result)
        entries[place].open -= 1
        guard entries[place].open == 0 else { return nil }
        var entry = entries.remove(at: place)
        return entry.takeBatch()
    }

    mutating func takeBatches() -> [ResultBatch] {
        entries.indices.compactMap { entries[$0].finished.isEmpty ? nil : entries[$0].takeBatch() }
    }

    private func place(of id: ID) -> Int? {
        for place in entries.indices where entries[place].id == id { return place }
        return nil
    }
}
