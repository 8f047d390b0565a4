import CampaignCore
import NIOHTTP1

extension Push {
    /// The reason why the recipients do not form a tag expression; most names are accepted without
    /// building the expression.
    var tagError: TagError? {
        let isPlain =
            (1...TagExpression.tagLimit).contains(usernames.count)
            && usernames.allSatisfy { username in
                let name = username.text.utf8
                return (1...Username.maximumLength).contains(name.count)
                    && name.allSatisfy(Tag.allows)
            }
        guard !isPlain, case .failure(let error) = tags else { return nil }
        return error
    }
}

extension SendEncoder {
    func headers(for page: PushPage) -> HTTPHeaders {
        headers(
            format: page.platform.facts.hubFormat, contentType: page.contentType,
            options: page.headers.map { (name: $0.name, value: $0.value) })
    }
}

extension Push {
    var tags: Result<TagExpression, TagError> {
        Result { () throws(TagError) in
            var tags: [Tag] = []
            for username in usernames { tags.append(try Tag(username.tag)) }
            return try TagExpression(anyOf: tags)
        }
    }
}
