import CampaignCore
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct AudienceMakeupTests {
    private func payload(_ languages: [String], message: String = "Hi {{name|you}}") throws
        -> Payload
    {
        let template = try MessageTemplate(message)
        let others = try languages.map { (try language($0), template) }
        return Payload(
            texts: Texts(message: LocalizedTemplate(template, others: others.map { ($0, $1) })),
            type: nil, content: nil, isMessagePrivate: false, expiresAfter: .seconds(60))
    }

    private func language(_ tag: String) throws -> LanguageTag { try #require(LanguageTag(tag)) }

    private func person(_ name: String, _ language: String?, _ value: String?) -> AudienceMember {
        AudienceMember(
            username: Username(checked: name), values: [value],
            language: language.flatMap(LanguageTag.init), origin: AudienceOrigin(file: 1, line: 1))
    }

    @Test func aLanguageThatNoTextHasIsCounted() throws {
        var makeup = AudienceMakeup(try payload(["de", "pt-BR"]))
        for member in [
            person("a", "de-AT", "A"), person("b", nil, "B"), person("c", "DE", "C"),
            person("d", "pt-PT", "D"),
        ] { makeup.visit(member) }
        #expect(makeup.strangers == [try language("pt-PT"): 1])
    }

    @Test func whoHasNoValueIsCountedForEachVariable() throws {
        var makeup = AudienceMakeup(try payload([]))
        for member in [person("a", nil, "A"), person("b", nil, nil), person("c", nil, "")] {
            makeup.visit(member)
        }
        #expect(makeup.strangers.isEmpty)
        #expect(makeup.withoutValue.map(\.variable) == ["name"])
        #expect(makeup.withoutValue.map(\.people) == [2])
        #expect(makeup.firstWithout?.username.text == "b")
    }

    @Test func languagesWithoutEndDoNotFillTheMemory() throws {
        var makeup = AudienceMakeup(try payload(["de"]))
        for number in 0..<5_000 { makeup.visit(person("u", "en-x-\(number)", "v")) }
        #expect(makeup.strangers.count == 1_000)
    }
}
