import CampaignCore
import YAMLSyntax

/// Looks for pushes that the systems of phones would hold back, and for texts that a secure campaign would show.
struct PushBudgetCheck {
    /// Silent pushes that iOS lets through to an app in an hour ("Pushing background updates to your App", Apple: no more than
    /// two or three).
    private static let most = 3
    private static let hour = Duration.seconds(60 * 60)

    private let root: YAMLNode
    private let parts: CampaignLint.Parts

    /// - Parameters:
    ///   - root: the campaign file's value.
    ///   - parts: what was made of it.
    init(_ root: YAMLNode, _ parts: CampaignLint.Parts) {
        self.root = root
        self.parts = parts
    }

    func run(_ remarks: inout Remarks) {
        checkCap(&remarks)
        checkSchedule(&remarks)
        checkFallback(&remarks)
    }

    /// Whether its pushes are silent on a system that counts them: one with a placeholder is visible.
    private var isCounted: Bool {
        parts.kind?.isSilent == true && parts.platforms.contains(.apns)
            && root.entry("payload", "placeholder") == nil
    }

    private func checkCap(_ remarks: inout Remarks) {
        guard isCounted, let cap = parts.delivery.frequencyCap,
            let place = root.entry("delivery", "frequency_cap")
        else { return }
        // Of a cap over a longer time, all may come within one hour, which is no rule but chance.
        let hours = max(1, cap.period / Self.hour)
        guard cap.period <= Self.hour * 24, Double(cap.pushes) / hours > Double(Self.most) else {
            return
        }
        remarks.add(
            .silentBudget, at: place.key.range,
            "The cap lets more than \(Self.most) silent pushes an hour through to a device; iOS hands its app two or three.",
            help:
                "Lower the cap to 3 an hour, or give the payload a placeholder, which makes the push visible."
        )
    }

    /// A campaign that comes more often than the system lets through.
    private func checkSchedule(_ remarks: inout Remarks) {
        guard isCounted, let place = root.entry("schedule", "cron")?.value,
            let minutes = place.scalarText?.split(separator: " ").first,
            let count = Self.count(ofMinutes: minutes), count > Self.most
        else { return }
        remarks.add(
            .silentBudget, at: place.range,
            "The schedule sends \(count) silent pushes an hour to each device; iOS hands its app two or three.",
            help:
                "Send at most every 20 minutes, or give the payload a placeholder, which makes the push visible."
        )
    }

    /// How many minutes of an hour a field of cron names; nil for what it does not understand.
    static func count(ofMinutes field: Substring) -> Int? {
        var minutes: Set<Int> = []
        for part in field.split(separator: ",", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "/", omittingEmptySubsequences: false)
            guard halves.count <= 2, let range = halves.first.flatMap(bounds) else { return nil }
            let step = halves.count == 2 ? DecimalDigits.parse(halves[1]) : 1
            guard let step, step > 0 else { return nil }
            minutes.formUnion(stride(from: range.lowerBound, through: range.upperBound, by: step))
        }
        return minutes.count
    }

    private static func bounds(_ text: Substring) -> ClosedRange<Int>? {
        if text == "*" { return 0...59 }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
            .map { DecimalDigits.parse($0) }
        guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil,
            first <= last, last < 60
        else { return nil }
        return first...last
    }

    /// What follows a secure push is seen on a locked screen: it must not hold a person's value.
    private func checkFallback(_ remarks: inout Remarks) {
        guard parts.kind == .secure,
            let place = root.entry("delivery", "fallback", "message")?.value,
            let text = place.scalarText,
            let variable = MessageTemplateReading(text).template.variables.first
        else { return }
        remarks.add(
            .secureLeak, at: place.range,
            "The fallback of a secure campaign would show \"{{\(variable)}}\" on the locked screen, and Apple, Google or Microsoft would carry it.",
            help: "Write a text that is the same for all, such as \"You have a new message\".")
    }
}
