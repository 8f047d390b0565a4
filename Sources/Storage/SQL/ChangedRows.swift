/// Rows of a run in its large tables, as far as a change concerns them.
package enum ChangedRows {
    /// Recipients with these numbers.
    case recipients([Int])
    /// Notifications with these numbers: a recipient's own, or shared ones.
    case notifications([Int])
    /// Any of its notifications, of which nothing is sent any more.
    case anyNotification
    /// Any of its rows, which are being deleted.
    case any
}
