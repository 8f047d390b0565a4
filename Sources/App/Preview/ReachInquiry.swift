import CampaignCore
import Delivery
import Logging
import NotificationHubs
import ProcessControl

/// Asks a hub how many people of an audience have a device on each platform.
struct ReachInquiry: Sendable {
    enum Extent: String, CaseIterable, Hashable, Sendable {
        /// A sample of 200 people, chosen at random but always the same for an audience.
        case sample
        /// Everybody, with one request per person.
        case all
    }

    private static let sampleSize = 200
    private static let batch = 1_000
    /// The maximum number of requests in flight, because hubs handle fewer listings at once than
    /// sends.
    private static let mostAtOnce = 32

    let extent: Extent
    /// The seed of the random choice.
    var seed: UInt64 = 1
    /// Whether requests are limited to the campaign's rate.
    var isPaced = true
    /// A function that is called with the progress at most four times a second and must not block.
    var observe: @Sendable (AudienceProgress) -> Void = { _ in }

    /// Asks the hub, at the campaign's rate, about the campaign's platforms.
    func estimate(
        _ planned: PlannedAudience, of campaign: Campaign, at connection: HubConnection,
        logger: Logger
    ) async throws -> ReachEstimate {
        try await connection.withClient(
            concurrency: concurrency(of: campaign), retries: .standard, logger: logger
        ) { client in
            try await estimate(planned, of: campaign, in: HubDeviceDirectory(client: client))
        }
    }

    /// Asks a device directory, at the campaign's rate.
    func estimate(
        _ planned: PlannedAudience, of campaign: Campaign, in directory: any DeviceDirectory
    ) async throws -> ReachEstimate {
        let people = planned.plan.counts.final
        let isSample = extent == .sample && people > Self.sampleSize
        let choice = isSample ? SampleChoice(Self.sampleSize, of: people, seed: seed).numbers : nil
        var names = ReachNames(planned.people, only: choice, batch: Self.batch)
        var tally = Tally(platforms: Set(campaign.platforms), of: choice?.count ?? people)
        var inquiry = PacedInquiry(
            rate: isPaced ? campaign.delivery.rate : nil, atOnce: concurrency(of: campaign),
            keepsAnswers: false)
        let wanted = Set(campaign.platforms)
        let start = ContinuousClock.now
        if let progress = tally.progress(at: .zero) { observe(progress) }
        try await inquiry.ask({ try await names.next() }) { user in
            try await Self.ask(directory, about: user, among: wanted)
        } take: { found in
            tally.add(found)
            if let progress = tally.progress(at: start.duration(to: .now)) { observe(progress) }
        }
        return ReachEstimate(
            people: people, asked: tally.asked, platforms: campaign.platforms,
            found: tally.found, without: tally.without)
    }

    private func concurrency(of campaign: Campaign) -> Int {
        min(campaign.delivery.concurrency, Self.mostAtOnce)
    }

    private static func ask(
        _ directory: any DeviceDirectory, about user: Username, among platforms: Set<Platform>
    ) async throws -> Set<Platform> {
        do throws(HubInquiryFailure) {
            return try await directory.platforms(of: user, among: platforms)
        } catch {
            if error == .cancelled { throw CancellationError() }
            throw ReachError(failure: error)
        }
    }
}

/// The error if the hub did not say who has a device.
struct ReachError: Refusal, Hashable, CustomStringConvertible {
    let failure: HubInquiryFailure

    var status: ExitStatus { ExitStatus(failure) }

    var description: String {
        "The hub did not say who has a device. \(failure.sentence) "
            + "Without --reach, the preview does not ask the hub."
    }
}

private struct Tally {
    private static let interval = Duration.milliseconds(250)

    private let platforms: Set<Platform>
    private let all: Int
    private(set) var asked = 0
    private(set) var found: [Platform: Int] = [:]
    private(set) var without = 0
    private var lastReport: Duration?

    init(platforms: Set<Platform>, of all: Int) {
        self.platforms = platforms
        self.all = all
    }

    mutating func add(_ devices: Set<Platform>) {
        asked += 1
        if devices.isEmpty { without += 1 }
        for platform in devices { found[platform, default: 0] += 1 }
    }

    /// Returns the progress to report; nil if the last report is too recent.
    mutating func progress(at time: Duration) -> AudienceProgress? {
        if let lastReport, time - lastReport < Self.interval { return nil }
        lastReport = time
        return .asking(asked, of: all)
    }
}

/// Returns the names of an audience in order, or only those with certain numbers.
private struct ReachNames {
    private let people: any AudiencePages
    private let batch: Int
    private var chosen: ArraySlice<Int>?
    private var page: ArraySlice<Username> = []
    private var seen = 0

    /// - Parameter only: the numbers of the people to return, ascending from 1; nil for everybody.
    init(_ people: any AudiencePages, only: [Int]?, batch: Int) {
        self.people = people
        self.batch = batch
        chosen = only?[...]
    }

    mutating func next() async throws -> Username? {
        try Task.checkCancellation()
        if chosen != nil {
            guard let number = chosen?.popFirst() else { return nil }
            return try await people.page(after: number - 1, limit: 1).first?.username
        }
        if page.isEmpty {
            page = try await people.page(after: seen, limit: batch).map(\.username)[...]
            seen += page.count
        }
        return page.popFirst()
    }
}
