import Testing
import YAMLSyntax

@Test func first() {
    let d = parse("a: [b, \"c\"]\nd: {e: 1}\n")
    #expect(d.root?.outline == "{a: [b \"c\"] d: {e: 1}}")
    #expect(d.faults == [])
}
