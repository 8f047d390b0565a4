import HTTPTypes
import Hummingbird

/// The headers of every answer of the page and below `/.hubsend`, refusals included.
///
/// None of them is one of CORS: there is no other origin that may read an answer.
enum InspectionFields {
    private static let always: KeyValuePairs = [
        "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "same-origin", "Referrer-Policy": "no-referrer",
    ]

    /// The headers of an answer.
    ///
    /// - Parameter contentType: what the answer is.
    /// - Returns: the headers.
    static func make(_ contentType: String) -> HTTPFields {
        var fields: HTTPFields = [:]
        fields.add("Content-Type", contentType)
        for (name, value) in always { fields.add(name, value) }
        return fields
    }

    /// An answer with these headers, whatever it had of them.
    static func sealed(_ response: Response) -> Response {
        var response = response
        for (name, value) in always {
            guard let name = HTTPField.Name(name) else { continue }
            response.headers[name] = value
        }
        return response
    }
}
