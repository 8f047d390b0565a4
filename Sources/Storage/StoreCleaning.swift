package import CampaignCore

/// Runs whose deliveries were deleted.
package struct DeletedDeliveries: Hashable, Sendable {
    package var runs: Int
    /// People to whom they went, who may be the same in several.
    package var people: Int
    /// Runs, beside these, whose deletion an earlier call had begun.
    package var continued: Int

    package init(runs: Int = 0, people: Int = 0, continued: Int = 0) {
        self.runs = runs
        self.people = people
        self.continued = continued
    }

    package mutating func add(_ people: Int) {
        runs += 1
        self.people += people
    }
}

/// What became of the free space in a store's file.
package struct StoreSpace: Hashable, Sendable {
    /// Bytes by which the file is smaller now.
    package var given: Int
    /// Bytes that stay free in it, since giving them back would have kept others from writing for too long.
    package var kept: Int

    package init(given: Int = 0, kept: Int = 0) {
        self.given = given
        self.kept = kept
    }
}

/// What a store had of a person, and has no more.
package struct ForgottenPerson: Hashable, Sendable {
    /// Runs that went to them.
    package var runs = 0
    /// Payloads that were rendered for them alone.
    package var payloads = 0
    package var registrations = 0
    /// Whether nothing of the name is left in the store's files either; never of a store on a server, which keeps for a while, in
    /// its log and its files, what its rows were.
    package var isErased = false

    package init() {}
}

/// What came of encrypting a store's payloads anew.
package struct RekeyedPayloads: Hashable, Sendable {
    /// Those that were encrypted anew.
    package var payloads = 0
    /// Those that none of the keys at hand opens; they stay as they are.
    package var unreadable = 0
    /// Whether a run is being staged, whose last payloads may be encrypted with an earlier key.
    package var isStaging = false
    /// Whether somebody began to encrypt all with another key meanwhile.
    package var isOvertaken = false

    package init() {}

    /// Whether only the first key is needed from now on.
    package var isComplete: Bool { unreadable == 0 && !isStaging && !isOvertaken }
}

extension PurgeCounts {
    package static func += (total: inout PurgeCounts, more: PurgeCounts) {
        total.notifications += more.notifications
        total.bytes += more.bytes
    }
}
