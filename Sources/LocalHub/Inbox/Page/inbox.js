// Search and filters, and the start of the page.

const searchAfter = 150;
let searchTimer = null;

the("search").addEventListener("input", () => {
    clearTimeout(searchTimer);
    searchTimer = setTimeout(() => {
        go({ search: the("search").value.trim() }, { replacing: true });
    }, searchAfter);
});

the("platform").addEventListener("change", () => {
    go({ platform: the("platform").value });
});

the("outcome").addEventListener("change", () => {
    go({ outcome: the("outcome").value });
});

for (const list of ["messages", "sends"]) {
    the(list === "sends" ? "sends-only-close" : "only-close").addEventListener("click", () => {
        go({ user: "", registration: "" });
        the(`${list}-title`).focus({ preventScroll: true });
    });
}

the("skip").addEventListener("click", (event) => {
    event.preventDefault();
    go({ view: "messages" });
    the("messages-title").focus();
});

// A wider window may show more lists.
addEventListener("resize", () => {
    for (const renewal of renewals) renewal.request();
    for (const list of [messages, devices]) list.fillUp();
});

showPlace();
showDetail({ focusing: false });
connect();
