import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The inbox page at `/`, a single document that makes requests only to this hub.
///
/// Its content security policy allows only its own script and style, by hash, so text from devices
/// can never run as a script or change the style.
struct InboxPage: Sendable {
    static let embedded = InboxPage(
        document: PackageResources.inbox_html, style: PackageResources.inbox_css,
        // The scripts become one module in this order; top-level code can use only what comes
        // before it.
        scripts: [
            PackageResources.words_js,
            PackageResources.place_js,
            PackageResources.elements_js,
            PackageResources.views_js,
            PackageResources.api_js,
            PackageResources.notices_js,
            PackageResources.windowed_js,
            PackageResources.rows_js,
            PackageResources.drawing_js,
            PackageResources.payloads_js,
            PackageResources.sent_js,
            PackageResources.detail_js,
            PackageResources.messages_js,
            PackageResources.devices_js,
            PackageResources.sends_js,
            PackageResources.hints_js,
            PackageResources.faults_js,
            PackageResources.clearing_js,
            PackageResources.live_js,
            PackageResources.keys_js,
            PackageResources.inbox_js,
        ])

    private static let styleMarker = "/*style*/"
    private static let scriptMarker = "/*script*/"

    let html: String
    let style: String
    let script: String
    let policy: String

    /// Replaces `/*style*/` and `/*script*/`; the scripts become one module in this order.
    init(document: [UInt8], style: [UInt8], scripts: [[UInt8]]) {
        let style = String(decoding: style, as: UTF8.self)
        let script = scripts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        // The document is split first, so that a script marker inside the style is not replaced.
        html = String(decoding: document, as: UTF8.self)
            .split(separator: Self.styleMarker, maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.replacing(Self.scriptMarker, with: script, maxReplacements: 1) }
            .joined(separator: style)
        self.style = style
        self.script = script
        policy = [
            "default-src 'none'", "script-src '\(Self.source(of: script))'",
            "style-src '\(Self.source(of: style))'", "connect-src 'self'", "img-src data:",
            "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    func response(to request: HubRequest) throws(HubFailure) -> Response {
        guard request.method == .get || request.method == .head else {
            throw .methodNotAllowed("GET, HEAD")
        }
        var fields = InspectionFields.make("text/html; charset=utf-8")
        fields.add("Content-Security-Policy", policy)
        fields.add("X-Frame-Options", "DENY")
        fields.add("Cross-Origin-Opener-Policy", "same-origin")
        return Response(
            status: .ok, headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    /// The hash of some text as a CSP source (CSP Level 3, section 2.3.1).
    private static func source(of text: String) -> String {
        "sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
    }
}
