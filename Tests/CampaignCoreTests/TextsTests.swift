import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct TextsTests {
    private var numbered: Texts<Int> {
        var texts = Texts<Int>()
        for (number, key) in TextKey.all.enumerated() { texts[key] = number }
        return texts
    }

    @Test("Each text key stores its own value") func eachTextKeyStoresItsOwnValue() {
        #expect(numbered.all == Array(TextKey.all.indices))
        #expect(numbered.map { $0 + 1 }.all == TextKey.all.indices.map { $0 + 1 })
        for key in TextKey.all {
            #expect(numbered.filter { $0 == key }.all == [numbered[key]])
        }
        #expect(Texts<Int>().isEmpty && !numbered.isEmpty)
    }

    @Test("A platform's own texts replace the common ones")
    func platformsOwnTextsReplaceTheCommonOnes() {
        let special = Texts(title: -1)
        #expect(special.over(numbered) == Texts(title: -1, message: 1, placeholder: 2))
        #expect(numbered.over(special) == numbered)
    }
}
