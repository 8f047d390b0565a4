extension StringProtocol {
    /// Without the characters at both ends for which a condition holds.
    func trimming(_ isDropped: (Character) -> Bool) -> String {
        String(drop(while: isDropped).reversed().drop(while: isDropped).reversed())
    }
}
