import Crypto
import Foundation
import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct InboxPageTests {
    private let page = InboxPage.embedded

    private func texts(of tag: String) -> [String] {
        page.html.matches(of: /<(script|style)\b[^>]*>([\s\S]*?)<\/(?:script|style)>/)
            .filter { $0.1 == tag }.map { String($0.2) }
    }

    private func count(_ pattern: some RegexComponent, in text: String) -> Int {
        text.matches(of: pattern).count
    }

    @Test(
        "The content policy contains the hashes of the page's script and style",
        arguments: ["script", "style"])
    func contentPolicyContainsTheHashesOfThePagesScriptAndStyle(tag: String) throws {
        let found = texts(of: tag)
        #expect(found.count == 1)
        let hash = SHA256.hash(data: Data(try #require(found.first).utf8))
        let source = "\(tag)-src 'sha256-\(Data(hash).base64EncodedString())';"
        #expect(page.policy.contains(source))
        #expect(page.html.components(separatedBy: "<\(tag)").count == 2)
        #expect(page.html.components(separatedBy: "</\(tag)").count == 2)
        // Browsers normalise line breaks to line feeds before hashing.
        #expect(!page.html.utf8.contains(UInt8(ascii: "\r")))
    }

    @Test("The content policy blocks everything that the page does not need")
    func contentPolicyBlocksEverythingThatThePageDoesNotNeed() {
        let rest = page.policy.replacing(/'sha256-[A-Za-z0-9+\/=]{44}'/, with: "HASH")
        #expect(
            rest == """
                default-src 'none'; script-src HASH; style-src HASH; connect-src 'self'; \
                img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
                """)
    }

    @Test("GET and HEAD return the page with its policy")
    func getAndHEADReturnThePageWithItsPolicy() async throws {
        try await HubUnderTest.run(setup: .live) { hub in
            let page = InboxPage.embedded
            for method in [HTTPRequest.Method.get, .head] {
                let response = try await hub.request(method, "/", token: nil)
                #expect(response.status == .ok)
                #expect(response.text == (method == .get ? page.html : ""))
                for (name, value) in [
                    ("Content-Type", "text/html; charset=utf-8"),
                    ("Content-Security-Policy", page.policy), ("X-Frame-Options", "DENY"),
                    ("Cross-Origin-Opener-Policy", "same-origin"),
                    ("Cross-Origin-Resource-Policy", "same-origin"),
                    ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                    ("Referrer-Policy", "no-referrer"),
                ] {
                    #expect(response.header(name) == value, "\(name)")
                }
            }
            for method in [HTTPRequest.Method.post, .put, .delete, .options, .patch] {
                let response = try await hub.request(method, "/", token: nil)
                #expect(response.status == .methodNotAllowed)
                #expect(response.header("Allow") == "GET, HEAD")
                #expect(response.text == "The method is not allowed here; use GET, HEAD.\n")
            }
        }
    }

    @Test("The page contacts no other host") func pageContactsNoOtherHost() {
        // XML namespaces are names, not addresses to fetch.
        let html = page.html.replacing("http://www.w3.org/2000/svg", with: "")
        #expect(count(/(?:https?|wss?):\/\//.ignoresCase(), in: html) == 0)
        #expect(count(/["'(=]\s*\/\/\w/, in: html) == 0)
        #expect(count(/@import|url\((?!["']?data:)/.ignoresCase(), in: page.style) == 0)
        #expect(count(/<(?:iframe|frame|object|embed|base)\b/.ignoresCase(), in: html) == 0)
        #expect(count(/\bimport\s*\(|^\s*import\s/.anchorsMatchLineEndings(), in: page.script) == 0)
    }

    @Test("The page has no inline handlers or styles") func pageHasNoInlineHandlersOrStyles() {
        let tags = page.html.replacing(page.script, with: "").replacing(page.style, with: "")
        #expect(count(/<[^>]*\s(?:on\w+|style)\s*=/.ignoresCase(), in: tags) == 0)
        #expect(count(/javascript:/.ignoresCase(), in: page.html) == 0)
    }

    @Test("The script never treats text as markup or code")
    func scriptNeverTreatsTextAsMarkupOrCode() {
        for word in [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser",
            "createContextualFragment", "setHTMLUnsafe", "parseHTMLUnsafe", "srcdoc", "eval(",
            "new Function", "<!--", "</script", "setAttribute(\"on", "setAttribute(\"style",
        ] {
            #expect(!page.script.contains(word), "\(word)")
        }
        #expect(count(/set(?:Timeout|Interval)\(\s*["'`]/, in: page.script) == 0)
    }

    @Test("A placeholder inside a script or style is plain text")
    func placeholderInsideAScriptOrStyleIsPlainText() {
        let page = InboxPage(
            document: Array("<style>/*style*/</style><script>/*script*/</script>".utf8),
            style: Array("a/*script*/".utf8),
            scripts: [Array("/*style*/".utf8), Array("/*script*/".utf8)])
        #expect(page.html == "<style>a/*script*/</style><script>/*style*/\n/*script*/</script>")
    }
}
