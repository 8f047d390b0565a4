package import CampaignCore

/// Under which numbers the notifications stand that a run's recipients share: 0 for everybody whose language has none of its own,
/// and -1, -2 and so on for those that have one.
package struct SharedNumbers {
    private let numbers: [String?: Int]

    /// - Parameter numbers: of those that were written, by their language; nil: the one for everybody else.
    package init(_ numbers: [String?: Int]) {
        self.numbers = numbers
    }

    /// The number of the next one that is written.
    package func next(for language: LanguageTag?) -> Int {
        language == nil ? 0 : min(0, numbers.values.min() ?? 0) - 1
    }

    /// The number of the one in a language.
    ///
    /// - Throws: ``DamagedValue`` when it was never written.
    package func number(for language: LanguageTag?) throws(DamagedValue) -> Int {
        guard let language else { return 0 }
        guard let number = numbers[language.text] else { throw DamagedValue() }
        return number
    }
}
