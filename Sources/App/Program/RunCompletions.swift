import CampaignCore
import Storage

/// Completes run ids and campaign names on the command line.
///
/// This runs while a person types, so a missing, locked or unreadable store is treated as empty.
struct RunCompletions {
    /// The maximum number of runs that are offered, newest first.
    private static let most = 200
    private static let patience = Duration.milliseconds(200)
    private static let longest = Duration.seconds(2)

    private let flags: SettingFlags
    private let invocation: Invocation

    /// - Parameter words: the command line so far, which may name the store.
    init(after words: [String], invocation: Invocation) {
        flags = SettingFlags(
            config: Self.value(of: "--config", in: words),
            store: Self.value(of: "--store", in: words))
        self.invocation = invocation
    }

    /// The campaign names, then the run ids, newest first.
    func words() async -> [String] {
        let runs = await runs()
        return Set(runs.map(\.campaign)).sorted() + runs.map(\.id.text)
    }

    /// Only the run ids, newest first, for commands that take no campaign name.
    func ids() async -> [String] {
        await runs().map(\.id.text)
    }

    private func runs() async -> [RunRecord] {
        await withTaskGroup(of: [RunRecord].self) { group in
            group.addTask { await found() }
            group.addTask {
                do {
                    try await Task.sleep(for: Self.longest)
                } catch {
                    // The time limit was cancelled because the store has answered.
                }
                return []
            }
            let first = await group.next() ?? []
            group.cancelAll()
            return first
        }
    }

    private func found() async -> [RunRecord] {
        do {
            let settings = try EffectiveSettings.load(
                flags, campaigns: [], invocation: invocation)
            var options = StoreOptions()
            options.busyTimeout = Self.patience
            let store = try await settings.store.openForReading(
                options, migrates: false)
            return try await store.runs(campaign: nil, limit: Self.most)
        } catch {
            return []
        }
    }

    private static func value(of flag: String, in words: [String]) -> String? {
        for (word, next) in zip(words, words.dropFirst()) {
            if word == flag { return next }
            if word.hasPrefix(flag + "=") { return String(word.dropFirst(flag.count + 1)) }
        }
        return nil
    }
}
