#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

package struct PlanComparison: Sendable {
    package struct Change: Hashable, Sendable {
        /// A sentence without a full stop.
        package let sentence: String
        /// Changed lines: `+` for new lines, `-` for lines of the plan.
        package let lines: [String]

        init(_ sentence: String, lines: [String] = []) {
            self.sentence = sentence
            self.lines = lines
        }
    }

    /// How far this machine's clock may be behind the clock of the machine that made the plan.
    private static let clockTolerance: TimeInterval = 60 * 60

    /// The changes, most important first.
    package let changes: [Change]
    package let isOnlyOtherSending: Bool

    /// Compares a plan with one made today with the same salt.
    ///
    /// - Parameter isBegun: whether a run has started from this plan, so that the plan's age no
    /// longer matters.
    package init(
        of planned: SavedPlan, with now: SavedPlan, texts: [KeyText], isBegun: Bool = false,
        showing show: @escaping (String) -> String
    ) {
        let lines = Dictionary(texts.map { ($0.key, $0.lines) }) { first, _ in first }
        let difference = KeyDifference(texts: lines, show: show)
        changes =
            Self.frame(of: planned, now, isBegun: isBegun)
            + difference.changes(from: planned.campaignKeys, to: now.campaignKeys)
            + difference.changes(from: planned.configKeys, to: now.configKeys)
            + Self.files(planned.payloadFile, now.payloadFile)
            + Self.people(planned, now)
        isOnlyOtherSending = planned.sending != now.sending && changes.count == 1
    }

    // MARK: Hub, sending, version and age

    private static func frame(
        of planned: SavedPlan, _ now: SavedPlan, isBegun: Bool
    ) -> [Change] {
        var changes: [Change] = []
        if planned.hub != now.hub {
            changes.append(
                Change(
                    "the plan is for hub \(VisibleText.escape(planned.hub.description)), not for \(now.hub)"
                ))
        }
        if planned.sending != now.sending {
            changes.append(
                Change("the plan is for \(planned.sending), not for \(now.sending)"))
        }
        if planned.version != now.version {
            changes.append(
                Change(
                    "the plan was made by hubsend \(VisibleText.escape(planned.version)), but this is \(now.version)"
                ))
        }
        if !isBegun { changes += age(of: planned, at: now.made) }
        return changes
    }

    private static func age(of planned: SavedPlan, at time: Date) -> [Change] {
        let age = time.timeIntervalSince(planned.made)
        let made = UTCTime.readable(planned.made)
        if age < -clockTolerance {
            return [
                Change(
                    "the plan was made on \(made), which is in the future; check the clocks of both machines"
                )
            ]
        }
        guard age > planned.longestAge / .seconds(1) else { return [] }
        let longest = Durations.span(planned.longestAge)
        return [Change("the plan was made on \(made) and was valid for \(longest)")]
    }

    // MARK: Files

    private static func files(_ planned: DigestedFile?, _ now: DigestedFile?) -> [Change] {
        switch (planned, now) {
        case (nil, nil): return []
        case (let planned?, nil):
            return [Change("payload file \(VisibleText.path(planned.path)) was removed")]
        case (nil, let now?): return [Change("payload file \(VisibleText.path(now.path)) is new")]
        case (let planned?, let now?):
            guard planned != now else { return [] }
            let name = "payload file \(VisibleText.path(now.path))"
            if planned.path != now.path {
                return [Change("\(name) replaces \(VisibleText.path(planned.path))")]
            }
            if planned.mediaType != now.mediaType {
                return [
                    Change(
                        "\(name) is \(now.mediaType) instead of \(VisibleText.escape(planned.mediaType))"
                    )
                ]
            }
            let size =
                planned.byteCount == now.byteCount
                ? "the same size, but different content"
                : "\(Figures.count(now.byteCount)) bytes instead of \(Figures.count(planned.byteCount))"
            // The comparison never shows a payload, only the places where it has changed.
            return [
                Change(
                    "\(name): \(size)",
                    lines: LineDifference(from: planned.lines, to: now.lines).places)
            ]
        }
    }

    // MARK: People

    private static func people(_ planned: SavedPlan, _ now: SavedPlan) -> [Change] {
        // A follow-up run only targets some of the people, so its audience cannot be compared with
        // the full one.
        guard planned.sending.isFollowUp == now.sending.isFollowUp else { return [] }
        return people(planned.audience, now.audience)
    }

    private static func people(_ planned: AudienceDigest, _ now: AudienceDigest) -> [Change] {
        let (before, after) = (planned.counts.final, now.counts.final)
        var changes: [Change] = []
        if before != after {
            changes.append(Change("audience: \(difference(before, after))"))
        } else if planned.names != now.names {
            changes.append(
                Change("audience: the same number of people as planned, but different people"))
        } else if planned.values != now.values {
            changes.append(
                Change("audience: the same people, but some have different values or languages"))
        }
        for platform in Platform.allCases {
            let (before, after) = (planned.platforms[platform], now.platforms[platform])
            // If everybody gets the push on every platform, the change to the audience already
            // explains this difference.
            guard before != after, before != planned.counts.final || after != now.counts.final
            else { continue }
            changes.append(Change("\(platform): \(difference(before ?? 0, after ?? 0))"))
        }
        for language in Set(planned.languages.keys).union(now.languages.keys).sorted() {
            let (before, after) = (planned.languages[language] ?? 0, now.languages[language] ?? 0)
            guard before != after else { continue }
            changes.append(
                Change("language \(VisibleText.escape(language)): \(difference(before, after))"))
        }
        return changes
    }

    /// Returns text such as `1,200 people more (11,200 instead of 10,000)`.
    private static func difference(_ before: Int, _ after: Int) -> String {
        let people = Figures.count(abs(after - before), "person", "people")
        return "\(people) \(after > before ? "more" : "fewer") "
            + "(\(Figures.count(after)) instead of \(Figures.count(before)))"
    }
}

private struct KeyDifference {
    let texts: [String: [String]]
    let show: (String) -> String

    func changes(from planned: [DigestedKey], to now: [DigestedKey]) -> [PlanComparison.Change] {
        let before = Dictionary(planned.map { ($0.key, $0.lines) }) { first, _ in first }
        let after = Dictionary(now.map { ($0.key, $0.lines) }) { first, _ in first }
        let gone = planned.map(\.key).filter { after[$0] == nil }
        let changed = now.map(\.key).filter { before[$0] != after[$0] }
        return changed.map { change($0, from: before[$0], to: after[$0] ?? []) }
            + gone.map { PlanComparison.Change("`\(show($0))` was removed") }
    }

    private func change(
        _ key: String, from planned: [String]?, to now: [String]
    ) -> PlanComparison.Change {
        if let planned, planned.sorted() == now.sorted() {
            return PlanComparison.Change(
                "`\(show(key))` has the same lines in a different order, which matters")
        }
        let what = planned == nil ? "is new" : "was changed"
        let lines = LineDifference(from: planned ?? [], to: now)
            .lines(showing: texts[key] ?? [], show: show)
        return PlanComparison.Change("`\(show(key))` \(what)", lines: lines)
    }
}

/// The new and removed lines of a value, found by comparing checksums.
struct LineDifference {
    private static let mostShown = 20
    private static let longest = 200

    private let inserted: [Int]
    private let removed: [Int]

    init(from planned: [String], to now: [String]) {
        let difference = now.difference(from: planned)
        inserted = difference.insertions.map(Self.offset)
        removed = difference.removals.map(Self.offset)
    }

    private static func offset(_ change: CollectionDifference<String>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }

    /// Shows new lines in full, but only the numbers of removed lines, because a plan contains no
    /// text.
    func lines(showing texts: [String], show: (String) -> String) -> [String] {
        bounded(
            removed.map { "- line \(Figures.count($0 + 1)) of the plan" }
                + inserted.map { number in
                    let text = number < texts.count ? texts[number] : ""
                    return "+ \(show(String(text.prefix(Self.longest))))"
                })
    }

    var places: [String] {
        bounded(
            removed.map { "- line \(Figures.count($0 + 1)) of the plan" }
                + inserted.map { "+ line \(Figures.count($0 + 1))" })
    }

    private func bounded(_ lines: [String]) -> [String] {
        let left = lines.count - Self.mostShown
        guard left > 0 else { return lines }
        return lines.prefix(Self.mostShown) + [
            "and \(Figures.count(left, "more line", "more lines"))"
        ]
    }
}
