import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct DocumentTests {
    @Test(
        "A second document is refused where it starts",
        arguments: [
            "a: 1\n1️⃣---2️⃣\nb: 2\n", "a\n1️⃣---2️⃣\n", "--- a\n1️⃣---2️⃣ b", "a: 1\n...\n1️⃣b: 2️⃣2\n",
            "a: 1\n...\n# x\n...\n\n1️⃣%TA2️⃣G !e! x\n---\n", "a: [1]\n# x\n1️⃣---2️⃣ # y\n",
        ])
    func secondDocumentIsRefusedWhereItStarts(marked: String) {
        let text = MarkedText(marked)
        let document = YAMLParser.parse(text.bytes)
        #expect(document.root == nil)
        #expect(document.errors.map(\.rule) == [.multipleDocuments])
        #expect(document.errors.first?.range == text[1, 2])
    }

    @Test(
        "Markers around a single document are accepted",
        arguments: ["a: 1\n...\n", "a: 1\n...\n...\n# end\n", "---\na: 1\n...", "a: 1\n# ---\n"])
    func markersAroundASingleDocumentAreAccepted(text: String) {
        #expect(parse(text).errors == [])
        #expect(parse(text).root?.outline == "{a: 1}")
    }

    @Test(
        "Directives other than the version are refused",
        arguments: [
            "1️⃣%TAG ! x2️⃣\n---\na", "# x\n\n%YAML 1.2\n1️⃣%TAG !a! b2️⃣\n---\na", "1️⃣%FOO bar2️⃣\n---\na",
            "1️⃣%YAML 2.02️⃣\n---\na", "1️⃣% off2️⃣\n", "%YAML 1.2\n1️⃣%YAML 1.22️⃣\n---\na",
        ])
    func directivesOtherThanTheVersionAreRefused(marked: String) {
        let text = MarkedText(marked)
        let errors = YAMLParser.parse(text.bytes).errors
        #expect(errors.map(\.rule) == [.unsupportedDirective])
        #expect(errors.first?.range == text[1, 2])
    }
}
