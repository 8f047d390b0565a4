import HTTPTypes
import HummingbirdCore

/// The answers of `/health` and `/ready`: one word each, nothing that helps an attacker.
enum Health {
    /// The server is up.
    static var up: Response { response("up") }
    /// The server can work.
    static var ready: Response { response("ready") }
    /// The server cannot work.
    static var notReady: Response {
        var response = response("not ready")
        response.status = .serviceUnavailable
        response.headers[.retryAfter] = "5"
        return response
    }

    private static func response(_ word: String) -> Response {
        var body = JSONObject()
        body.add("Status", word)
        return Response(json: body.text)
    }
}
