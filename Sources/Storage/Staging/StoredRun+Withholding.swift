import CampaignCore
import FoundationEssentials

extension StoredRun {
    /// Gives deliveries that are not to be made their outcome before anything is sent.
    func withhold(
        _ withheld: [(number: Int, platforms: Set<Platform>)], id: RunID, _ db: any SQLConnection
    ) throws {
        guard !withheld.isEmpty else { return }
        let started = try db.row("SELECT started FROM runs WHERE key = ?1", [key]) {
            StoredTime.date(try $0.int64(0))
        }
        guard let started else { throw DamagedValue() }
        let platforms = try RunPlatform.all(of: self, db)
        let records = platforms.flatMap { platform in
            withheld.filter { $0.platforms.contains(platform.platform) }.map { number, _ in
                DeliveryRecord(
                    number: number, platform: platform.platform, state: .ended(.skipped),
                    skipReason: .notAskedFor, attempts: 0, isUncertain: false,
                    detail: SkipReason.notAskedFor.rawValue, hubMessage: nil, recordedAt: started)
            }
        }
        try db.insert(records, of: self) { try platforms.position(of: $0, in: id) }
    }
}
