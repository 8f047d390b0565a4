import CampaignCore

extension Push {
    /// Why its recipients form no tag expression; nil when they do.
    ///
    /// Most names are plainly fine, which is seen without making the expression.
    var tagFault: TagError? {
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
