import CampaignCore
import NIOHTTP1

extension SendEncoder {
    /// The headers that all pushes of a page share.
    func headers(for page: PushPage) -> HTTPHeaders {
        headers(
            format: page.platform.hubFormat, contentType: page.contentType,
            options: page.headers.map { (name: $0.name, value: $0.value) })
    }
}

extension Push {
    /// Its recipients as a tag expression, which is never empty.
    var tags: Result<TagExpression, TagError> {
        Result { () throws(TagError) in
            var tags: [Tag] = []
            for username in usernames { tags.append(try Tag(username.tag)) }
            return try TagExpression(anyOf: tags)
        }
    }
}
