/// Which of a campaign's people a run is for.
package enum PeopleChoice: Sendable {
    /// All whom it names and does not exclude.
    case all
    /// A few, to try it out.
    case rehearsal(Rehearsal)
    /// Of all, those whom an earlier run left.
    case rest(RestOfRun)
}
