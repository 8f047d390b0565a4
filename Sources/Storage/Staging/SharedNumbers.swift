package import CampaignCore

/// The numbers of notifications that recipients share: 0 for everybody else, -1, -2 and so on for
/// languages.
package struct SharedNumbers {
    private let numbers: [String?: Int]

    /// By language; nil: everybody else.
    package init(_ numbers: [String?: Int]) {
        self.numbers = numbers
    }

    package func next(for language: LanguageTag?) -> Int {
        language == nil ? 0 : min(0, numbers.values.min() ?? 0) - 1
    }

    package func number(for language: LanguageTag?) throws(DamagedValue) -> Int {
        guard let language else { return 0 }
        guard let number = numbers[language.text] else { throw DamagedValue() }
        return number
    }
}
