//! Prometheus' text format (0.0.4), which every scraper and `promtool` read, converted from OpenMetrics' text.
//!
//! Samples are the same in both; the metadata differs: here a counter is declared under its sample's name, with `_total`, an
//! OpenMetrics info is a gauge named `_info`, and there are no units and no end mark.

/// Converts OpenMetrics' text to the plain format.
pub fn of_open_metrics(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut help = None;
    for line in text.lines() {
        let Some(comment) = line.strip_prefix("# ") else {
            plain.push_str(line);
            plain.push('\n');
            continue;
        };
        let mut words = comment.splitn(3, ' ');
        match (words.next(), words.next(), words.next()) {
            // Written once the type is known, since the name depends on it.
            (Some("HELP"), Some(_), text) => help = text,
            (Some("TYPE"), Some(family), Some(kind)) => {
                let (suffix, kind) = match kind {
                    "counter" => ("_total", kind),
                    "info" => ("_info", "gauge"),
                    "unknown" => ("", "untyped"),
                    _ => ("", kind),
                };
                if let Some(text) = help.take() {
                    plain.push_str(&format!("# HELP {family}{suffix} {text}\n"));
                }
                plain.push_str(&format!("# TYPE {family}{suffix} {kind}\n"));
            }
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_announced_by_their_samples_names() {
        let open = "# HELP a Things done.\n# TYPE a counter\na_total{x=\"# TYPE b\"} 1\n# HELP b The version.\n# TYPE b info\n\
                    b_info{v=\"1\"} 1\n# HELP c_seconds Time.\n# TYPE c_seconds histogram\n# UNIT c_seconds seconds\n\
                    c_seconds_sum 1.5\nc_seconds_count 1\nc_seconds_bucket{le=\"+Inf\"} 1\n# TYPE d gauge\nd 1\n# EOF\n";
        let plain = "# HELP a_total Things done.\n# TYPE a_total counter\na_total{x=\"# TYPE b\"} 1\n# HELP b_info The version.\n\
                     # TYPE b_info gauge\nb_info{v=\"1\"} 1\n# HELP c_seconds Time.\n# TYPE c_seconds histogram\n\
                     c_seconds_sum 1.5\nc_seconds_count 1\nc_seconds_bucket{le=\"+Inf\"} 1\n# TYPE d gauge\nd 1\n";
        assert_eq!(of_open_metrics(open), plain);
    }
}
