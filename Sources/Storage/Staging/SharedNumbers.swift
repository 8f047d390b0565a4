import CampaignCore

/// The numbers of notifications that recipients share: -1, -2 and so on for languages, and 0 for
/// everybody else.
struct SharedNumbers {
    /// The numbers by language; nil stands for everybody else.
    private let numbers: [String?: Int]

    init(of run: StoredRun, _ db: any SQLConnection) throws {
        let rows = try db.rows(
            "SELECT language, number FROM notifications WHERE run = ?1 AND number <= 0", [run.key]
        ) { (try $0.optionalText(0), try $0.int(1)) }
        numbers = Dictionary(rows) { $1 }
    }

    func next(for language: LanguageTag?) -> Int {
        language == nil ? 0 : min(0, numbers.values.min() ?? 0) - 1
    }

    func number(for language: LanguageTag?) throws(DamagedValue) -> Int {
        guard let language else { return 0 }
        guard let number = numbers[language.text] else { throw DamagedValue() }
        return number
    }
}
